"""Examples of the docs run, and print what the docs say they print."""

import contextlib
import io
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
_BLOCK = re.compile(r"```python\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL)


@pytest.mark.parametrize("page", ["budgeted_selection.md", "sweeps.md"])
def test_examples_print_what_the_page_says(page):
    blocks = _BLOCK.findall((DOCS / page).read_text("utf-8"))
    assert blocks
    names: dict[str, object] = {}
    for code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page, "exec"), names)
        assert printed.getvalue() == expected
