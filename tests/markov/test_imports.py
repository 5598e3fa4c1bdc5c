"""The package stands alone: of ours it needs little more than errors."""

import ast
from pathlib import Path

import solvers.markov
from tests.each import each

FILES = sorted(Path(solvers.markov.__file__).parent.glob("*.py"))
# Sentences, and how files from people are read.
OURS = {
    "checks",
    "errors",
    "costs.interchange.csv_rows",
    "decisions.mistakes",
    "values",
    "values.distinct_names",
}
# `tqdm` shows how far a comparison is.
ALLOWED = {"numpy", "scipy", "networkx", "tqdm", "__future__"}


def imported(file):
    """Yield (level, name) for every import of a file."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((0, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""


@each("file", FILES, ids=lambda file: file.stem)
def test_only_errors_numpy_and_scipy_are_imported(file):
    import sys

    for level, name in imported(file):
        if level == 2:
            assert name in OURS
        elif level == 0:
            top = name.split(".")[0]
            assert top in ALLOWED | set(sys.stdlib_module_names), name


def test_every_public_name_is_listed_and_there():
    for name in solvers.markov.__all__:
        assert hasattr(solvers.markov, name)
