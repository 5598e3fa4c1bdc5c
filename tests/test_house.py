"""The house is what CONTRIBUTING says: tests mirror modules, and no import circles."""

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What draws is looked at in a browser, and by the tests of its page.
SCREEN = ("panel", "bokeh", "holoviews", "matplotlib", "explorer.widgets")
# What decides, repeats or reckons; a module with fewer only declares.
STEPS = (ast.If, ast.IfExp, ast.For, ast.While, ast.comprehension, ast.Raise, ast.Try)
STEPS = (*STEPS, ast.BinOp, ast.BoolOp)
FEW = 4


def sources():
    return [p for name in ("solvers", "explorer") for p in (ROOT / name).rglob("*.py")]


def dotted(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def modules():
    """Every module by its dotted name, doors of packages left out."""
    return {dotted(p): p for p in sources() if not p.stem.startswith("__")}


@cache
def looked_at(path):
    """What a file imports, relative names made absolute, and how often it steps."""
    package, names, n_steps = path.relative_to(ROOT).parent.parts, set(), 0
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        n_steps += isinstance(node, STEPS)
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = ".".join([*above, *([node.module] if node.module else [])])
            names |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return names, n_steps


def mirror_of(path):
    """Where the test of a module stands; solvers/ is left out of the mirror."""
    folders = path.relative_to(ROOT).parent.parts
    folders = folders[1:] if folders[0] == "solvers" else folders
    return ROOT.joinpath("tests", *folders, f"test_{path.name}")


def is_tested(test):
    """Whether a file is there and holds a test: an empty one is none."""
    return test.exists() and "def test_" in test.read_text("utf-8")


def declares(path):
    """Whether a module holds next to nothing that could go wrong."""
    return looked_at(path)[1] < FEW


def draws(path):
    return any(name.startswith(SCREEN) for name in looked_at(path)[0])


def is_private_part(name, users, tested):
    """Whether one tested module of the same folder alone uses a module."""
    folder = name.rpartition(".")[0]
    return len(users) == 1 and all(
        user in tested and user.rpartition(".")[0] == folder for user in users
    )


def test_what_computes_has_a_test_of_its_name():
    house = modules()
    users = {name: set() for name in house}
    for path in sources():
        for name in house.keys() & looked_at(path)[0]:
            users[name].add(dotted(path))
    tested = {name for name, path in house.items() if is_tested(mirror_of(path))}
    untested = [
        name
        for name, path in house.items()
        if name not in tested and not declares(path) and not draws(path)
    ]
    missing = [n for n in untested if not is_private_part(n, users[n], tested)]
    assert missing == []


def test_no_import_goes_in_a_circle():
    """From file to file, and for types alone too: each can be read after another."""
    house = modules()
    imports = {name: house.keys() & looked_at(path)[0] for name, path in house.items()}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(reversed(error.args[1]))) from None
