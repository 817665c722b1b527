"""A description of the computer that ran the benchmark."""

import os
import platform
from pathlib import Path


def machine() -> str:
    """Return system, processor, cores and memory."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = platform.freedesktop_os_release()["PRETTY_NAME"] if _linux() else platform.platform(terse=True)
    computer = f"{_processor()}, {os.cpu_count()} cores, {memory:.0f} GB"
    return f"{system}, {computer}, Python {platform.python_version()}"


def _processor() -> str:
    if _linux():
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _linux() -> bool:
    return platform.system() == "Linux"
