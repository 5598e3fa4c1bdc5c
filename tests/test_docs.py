"""Examples of the docs run, and print what the docs say they print."""

import contextlib
import io
import re
import runpy
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from docs.method_pages import HEADINGS, PAGES, subjects
from docs.tables import README, counted, filled_pages
from explorer.commands.cli import main
from explorer.pages.lessons.course import all_lessons
from solvers import all_methods
from tests.each import each

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("[!_]*.py"))
# What these pages show runs where it belongs: in a copy of the package, by
# test_added_method, and in a notebook, by test_notebook_views.
ELSEWHERE = {"add_a_method.md", "teaching.md"}
_BLOCK = re.compile(
    r"```(python|console)\n(.*?)```(?:\s*```text\n(.*?)```)?", re.DOTALL
)


def pages_with_examples():
    pages = [page for page in DOCS.rglob("*.md") if page.name not in ELSEWHERE]
    return sorted(
        str(page.relative_to(DOCS))
        for page in pages
        if _BLOCK.search(page.read_text("utf-8"))
    )


def run(kind, code, page, names):
    if kind == "python":
        exec(compile(code, page, "exec"), names)
        return
    for line in code.splitlines():
        program, *arguments = shlex.split(line.removeprefix("$ "))
        assert program == "thriftscope"
        assert main(arguments) == 0


def check_examples(text, page, names):
    blocks = _BLOCK.findall(text)
    assert blocks
    for kind, code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            run(kind, code, page, names)
        assert kind == "console" or printed.getvalue() == expected


@pytest.mark.parametrize("page", pages_with_examples())
def test_examples_print_what_the_page_says(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_examples((DOCS / page).read_text("utf-8"), page, {})


@pytest.mark.parametrize("script", NOTEBOOKS, ids=lambda script: script.stem)
def test_a_teaching_notebook_runs_and_its_answers_hold(script):
    import jupytext  # it takes seconds, in each worker that only collects this file

    # As plain Python; that a kernel runs cells, test_notebook_views shows.
    with contextlib.redirect_stdout(io.StringIO()):
        runpy.run_path(str(script))
    words = "\n".join(cell.source for cell in jupytext.read(script).cells)
    assert words.count("**Exercise") >= 3
    assert "**Claim.**" in words
    assert "**Limit.**" in words


def test_notebooks_are_written_as_files(tmp_path, monkeypatch):
    import jupytext

    monkeypatch.setattr(sys, "argv", ["docs.notebooks", str(tmp_path)])
    runpy.run_module("docs.notebooks", run_name="__main__")
    written = sorted(tmp_path.glob("*.ipynb"))
    assert [path.stem for path in written] == [script.stem for script in NOTEBOOKS]
    for path in written:
        assert jupytext.read(path).cells[0].cell_type == "markdown"


# ------------------------------------------------------------------------ method pages


@each("name", sorted(subjects()))
def test_every_method_has_a_page_with_all_its_parts(name):
    text = PAGES[name].read_text("utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert set(HEADINGS) <= set(headings)
    assert text.startswith("# ")


@each("name", sorted(all_methods()))
def test_every_knob_is_named_as_on_the_screen(name):
    text = PAGES[name].read_text("utf-8")
    for parameter, knob in all_methods()[name].knobs.items():
        assert re.search(rf"`{parameter}`[^|]*\| {re.escape(knob.label)} \|", text)


def test_tables_are_those_of_code_and_benchmarks():
    filled = filled_pages()
    stale = [page.name for page in filled if filled[page] != page.read_text("utf-8")]
    assert not stale, "run python -m docs.tables"


def test_the_readme_counts_methods_and_lessons_by_itself():
    text = README.read_text("utf-8")
    (methods,) = re.findall(r"for (\S+) classifiers on one frontier", text)
    assert int(methods) == len(all_methods())
    (lessons,) = re.findall(r"\((\S+) lessons, each computed", text)
    assert int(lessons) == len(all_lessons())
    stale = "for 3 classifiers on one frontier (few lessons, each computed)"
    assert counted(stale) == stale.replace("3", methods).replace("few", lessons)


def test_the_list_of_methods_is_whole():
    text = (DOCS / "methods" / "index.md").read_text("utf-8")
    assert set(re.findall(r"^(\w+)$", text, re.MULTILINE)) == set(PAGES)


# ---------------------------------------------------------------------------- the site


class Requests(HTMLParser):
    """What a page makes a browser ask for."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        asked = [found.get("src"), found.get("data"), found.get("poster")]
        # Other pages that a person may choose to follow are no requests.
        if tag == "link" and found.get("rel") not in (
            "index",
            "search",
            "next",
            "prev",
        ):
            asked.append(found.get("href"))
        self.asked += [address for address in asked if address]


# All that is read of the pages is kept until the end: to look for garbage in it again
# and again takes a third of the time.
SPHINX = """
import gc, sys
gc.disable()
from sphinx.cmd.build import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
def test_the_site_has_every_page_and_name_and_asks_no_other_host(tmp_path):
    """One test: two that ran beside each other would each build it."""
    options = ["-W", "--keep-going", "-q", "-E", "-b", "html"]
    done = subprocess.run(
        [sys.executable, "-c", SPHINX, *options, str(DOCS), str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr  # a warning is an error
    pages = {path.relative_to(tmp_path): path for path in tmp_path.rglob("*.html")}
    written = [*DOCS.rglob("*.md"), *DOCS.rglob("*.rst")]
    built = {path.with_suffix("") for path in pages}
    assert {path.relative_to(DOCS).with_suffix("") for path in written} <= built
    for path in pages.values():
        page = Requests()
        page.feed(path.read_text("utf-8"))
        assert not [one for one in page.asked if "//" in one], path
    for style in tmp_path.rglob("*.css"):
        text = style.read_text("utf-8")
        assert not re.search(r"(url\(|@import)\s*[\"']?(https?:)?//", text), style
    for module in ("solvers", "datasets", "bayes", "markov"):
        text = (tmp_path / "api" / f"{module}.html").read_text("utf-8")
        path = "solvers" if module == "solvers" else f"solvers.{module}"
        for name in sys.modules.get(path, __import__(path, fromlist=["x"])).__all__:
            assert f">{name}<" in text, name
