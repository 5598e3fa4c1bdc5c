"""``python -m docs.tables`` writes anew what pages take from code and benchmarks."""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks import results_page
from docs import (
    certify_page,
    datasets_page,
    deployment_page,
    files_page,
    heart_page,
    known_answers_page,
    method_pages,
)
from docs.parts import with_part
from explorer.pages.lessons.course import all_lessons
from solvers.methods import all_methods, unavailable_methods

__all__ = ["filled_pages"]

HERE = Path(__file__).parent
ADDING = HERE / "add_a_method.md"
EXAMPLES = {"code": "nearest_mean.py", "program": "ladder.py", "adaptive": "duel.py"}
README = HERE.parent / "README.md"
_CLASSIFIERS = re.compile(r"(for )\S+( classifiers on one frontier)")
_LESSONS = re.compile(r"(\()\S+( lessons, each computed)")


def filled_pages() -> dict[Path, str]:
    """Return every page that has such parts, as it should be."""
    for path in method_pages.PAGES.values():
        if not path.exists():
            raise FileNotFoundError(
                f"docs/methods/{path.name} is missing; write it as step 5 of "
                "docs/add_a_method.md says."
            )
    pages = {
        path: method_pages.filled(name, path.read_text("utf-8"))
        for name, path in method_pages.PAGES.items()
    }
    serving = deployment_page.PAGE
    pages[serving] = deployment_page.filled(serving.read_text("utf-8"))
    pages[heart_page.PAGE] = heart_page.filled(heart_page.PAGE.read_text("utf-8"))
    listed = datasets_page.PAGE
    pages[listed] = datasets_page.filled(listed.read_text("utf-8"))
    known = known_answers_page.PAGE
    pages[known] = known_answers_page.filled(known.read_text("utf-8"))
    pages[files_page.PAGE] = files_page.filled(files_page.PAGE.read_text("utf-8"))
    pages[results_page.PAGE] = results_page.filled()
    proof = certify_page.PAGE
    pages[proof] = certify_page.filled(proof.read_text("utf-8"))
    adding = ADDING.read_text("utf-8")
    for part, name in EXAMPLES.items():
        code = (HERE / "examples" / name).read_text("utf-8")
        adding = with_part(adding, part, f"```python\n{code}```")
    pages[ADDING] = adding
    pages[README] = counted(README.read_text("utf-8"))
    return pages


def counted(readme: str) -> str:
    """Return the README with how many classifiers, extras included, and lessons."""
    own = [m for m in all_methods().values() if m.__module__.startswith("solvers.")]
    n_classifiers = len(own) + len(unavailable_methods())
    readme = _with_number(readme, _CLASSIFIERS, n_classifiers)
    return _with_number(readme, _LESSONS, len(all_lessons()))


def _with_number(readme: str, said: re.Pattern[str], number: int) -> str:
    written, n_places = said.subn(rf"\g<1>{number}\g<2>", readme)
    if n_places != 1:
        raise ValueError(
            f"README.md has {n_places} places of the form {said.pattern!r}; "
            "let it have one."
        )
    return written


def main() -> None:
    """Write every page."""
    for path, text in filled_pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
