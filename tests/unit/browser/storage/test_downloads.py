"""Names of downloaded files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwright.browser.storage.downloads import safe_name


@pytest.mark.parametrize(
    ("suggested", "name"),
    [
        ("report.csv", "report.csv"),
        ("a/b\\c:d.txt", "a_b_c_d.txt"),
        ("../x", "x"),
        ("\u202etxt.exe", "txt.exe"),
        ("CON", "_CON"),
        ("lpt1.log", "_lpt1.log"),
        ("...", "download"),
        ("", "download"),
        ("x. ", "x"),
    ],
)
def test_a_special_name_is_made_harmless(suggested: str, name: str) -> None:
    assert safe_name(suggested) == name


@given(st.text())
def test_any_name_becomes_one_plain_file_name(suggested: str) -> None:
    name = safe_name(suggested)
    assert name not in ("", ".", "..")
    assert not set(name) & set('/\\\0\n\r<>:"|?*')
    assert not name.startswith(".")
    assert len(name.encode()) <= 151
