"""A fingerprint of code changes with what is done, and with nothing else."""

import pytest

from benchmarks import sources
from benchmarks.sources import is_current, sources_of
from tests.each import each

HOUSE = {
    "solvers/__init__.py": "from .helper import twice\nfrom .other import unused\n",
    "solvers/method.py": "from solvers import twice\n\nRESULT = twice(2)\n",
    "solvers/helper.py": "from .deeper import FACTOR\n\n\n"
    'def twice(x):\n    """Double."""\n    return FACTOR * x\n',
    "solvers/deeper.py": "import math\n\nFACTOR = 2\n",
    "solvers/other.py": "unused = 1\n",
}


@pytest.fixture
def house(tmp_path):
    (tmp_path / "solvers").mkdir()
    for name, text in HOUSE.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def fresh(change, house):
    """Whether a result of before is current after a change of a file."""
    known = sources_of(["solvers.method"], house=house)
    for kept in (sources._tree, sources._imported, sources._home, sources._code):
        kept.cache_clear()
    name, old, new = change
    text = (house / name).read_text()
    assert old in text
    (house / name).write_text(text.replace(old, new))
    return is_current(known, house)


@each(
    "change",
    [
        (
            "solvers/method.py",
            "RESULT = twice(2)",
            "# of two\nRESULT = (  twice( 2 ) )",
        ),
        ("solvers/helper.py", "Double.", "Return the double."),
        ("solvers/helper.py", "    return", "\n    # why\n    return"),
        ("solvers/other.py", "unused = 1", "unused = 2"),
        ("solvers/__init__.py", "unused", "unused, more"),
    ],
    ids=["layout", "docstring", "comment", "not imported", "another name of a face"],
)
def test_a_result_stays_current(change, house):
    assert fresh(change, house)


@each(
    "change",
    [
        ("solvers/method.py", "twice(2)", "twice(3)"),
        ("solvers/helper.py", "FACTOR * x", "x * FACTOR"),
        ("solvers/deeper.py", "FACTOR = 2", "FACTOR = 2.0"),
        ("solvers/__init__.py", ".helper", ".other"),
    ],
    ids=["itself", "what it imports", "what that imports", "whom a face passes on"],
)
def test_a_result_is_of_older_code(change, house):
    assert not fresh(change, house)


def test_what_is_shared_is_left_out_with_what_it_imports(house):
    own = sources_of(["solvers.method"], ["solvers.helper"], house)
    assert own != sources_of(["solvers.method"], house=house)
    (house / "solvers/deeper.py").write_text("FACTOR = 9\n")
    sources._tree.cache_clear()
    sources._code.cache_clear()
    assert is_current(own, house)


def test_a_module_that_is_gone_and_a_result_without_sources_are_of_older_code(house):
    assert not fresh(("solvers/method.py", "from solvers", "from elsewhere"), house)
    assert not is_current(None)


def test_every_method_is_known_by_its_own_code_alone():
    """What one method is made of tells nothing of the next one's results."""
    own = sources._reached(["solvers.methods.csdt"], sources.HOUSE)
    assert {"solvers.methods.grouped_tree", "solvers.numerics.cuts"} <= own
    assert not any("acafh" in module or "explorer" in module for module in own)
