"""Methods of other packages: found by their entry points, refused by name."""

import sys

import pytest

from solvers import ThriftscopeError, all_methods, methods
from solvers.datasets import make_breast_cancer
from solvers.frontier import evaluation
from solvers.methods import add_method, unavailable_methods
from tests.each import each

METHOD = """
from solvers.methods.l1 import L1Classifier

class Mine(L1Classifier):
    title = "My own"

class Needy(L1Classifier):
    def __init__(self, must, hypergraph=None, alpha=0.01, n_alphas=4):
        super().__init__(hypergraph, alpha=alpha, n_alphas=n_alphas)

number = 3
"""


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder of packages that is looked through anew."""
    (tmp_path / "own_methods.py").write_text(METHOD)
    (tmp_path / "broken_methods.py").write_text("1 / 0\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(methods, "_added", {})
    methods._others.cache_clear()
    yield tmp_path
    methods._others.cache_clear()
    for name in ("own_methods", "broken_methods"):
        sys.modules.pop(name, None)


def install(site, package, **entries):
    info = site / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
    )
    lines = [f"{name} = {value}\n" for name, value in entries.items()]
    (info / "entry_points.txt").write_text("[thriftscope.methods]\n" + "".join(lines))


def test_a_method_of_another_package_is_one_of_all(site):
    install(site, "own", mine="own_methods:Mine")
    assert all_methods()["mine"].title == "My own"
    assert list(all_methods()) == sorted(all_methods())
    point = next(evaluation.trace_frontier("mine", make_breast_cancer()))
    assert point.method == "mine"
    assert unavailable_methods() == {}


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("broken_methods:Mine", "cannot be imported.*ZeroDivisionError"),
        ("nowhere:Mine", "cannot be imported.*ModuleNotFoundError"),
        ("own_methods:Nothing", "cannot be imported.*AttributeError"),
        ("own_methods:number", "is a int, no CostAwareClassifier"),
        ("own_methods:Needy", "cannot be made without must"),
    ],
)
def test_a_broken_package_is_named_and_does_not_end_the_others(site, entry, why):
    install(site, "own", mine="own_methods:Mine")
    install(site, "worse", sad=entry)
    assert "mine" in all_methods()
    assert "sad" not in all_methods()
    with pytest.raises(ThriftscopeError, match=f"sad of worse is left out: .*{why}"):
        evaluation.resolve_method("sad")


def test_a_name_that_is_taken_stays_with_its_owner(site):
    install(site, "own", l1="own_methods:Mine")
    assert all_methods()["l1"].title != "My own"
    assert "The name 'l1' is taken" in unavailable_methods()["own:l1"]


def test_a_method_may_be_named_by_module_and_class(site):
    assert add_method("own_methods:Mine").title == "My own"
    name, estimator = evaluation.resolve_method("own_methods:Mine")
    assert name == "own_methods:Mine"
    assert type(estimator).title == "My own"


@each("address", ["own_methods", ":Mine", "own_methods:"])
def test_half_an_address_is_refused(site, address):
    with pytest.raises(ThriftscopeError, match="write module:Class"):
        add_method(address)
