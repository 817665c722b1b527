"""The README's example does what the README says."""

import re
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def test_the_example_prints_what_the_readme_shows() -> None:
    found = re.search(r"```python\n(.*?)```\n\n```\n(.*?)```", README.read_text(), re.DOTALL)
    assert found is not None
    example, shown = found.groups()
    run = subprocess.run(
        [sys.executable, "-c", example], check=False, capture_output=True, text=True, timeout=60
    )
    assert (run.stderr, run.stdout) == ("", shown)
