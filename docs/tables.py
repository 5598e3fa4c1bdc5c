"""``python -m docs.tables`` writes anew what pages take from code and benchmarks."""

from __future__ import annotations

from pathlib import Path

from docs import deployment_page, method_pages
from docs.parts import with_part

__all__ = ["filled_pages"]

HERE = Path(__file__).parent
ADDING = HERE / "add_a_method.md"
EXAMPLES = {"code": "nearest_mean.py", "adaptive": "duel.py"}


def filled_pages() -> dict[Path, str]:
    """Return every page that has such parts, as it should be."""
    pages = {
        path: method_pages.filled(name, path.read_text("utf-8"))
        for name, path in method_pages.PAGES.items()
    }
    serving = deployment_page.PAGE
    pages[serving] = deployment_page.filled(serving.read_text("utf-8"))
    adding = ADDING.read_text("utf-8")
    for part, name in EXAMPLES.items():
        code = (HERE / "examples" / name).read_text("utf-8")
        adding = with_part(adding, part, f"```python\n{code}```")
    pages[ADDING] = adding
    return pages


def main() -> None:
    """Write every page."""
    for path, text in filled_pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
