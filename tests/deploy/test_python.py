"""The exported file decides as the estimator does, and asks for no more."""

import math
import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from solvers import FeatureHypergraph, all_methods
from solvers.deploy import to_python
from solvers.errors import DeployError
from tests.each import each

from .decided import module
from .models import NOT_EXPORTED, SETTINGS, fitted


def test_every_method_is_exported_or_named_as_one_that_is_not():
    assert set(all_methods()) == set(SETTINGS) | NOT_EXPORTED


@each(
    ("method", "settings"),
    [
        ("hypergraph_cascade", {"model": DecisionTreeClassifier(max_depth=2)}),
        ("dag", {"base": HistGradientBoostingClassifier(max_iter=2)}),
    ],
)
def test_what_cannot_be_exported_says_so_by_name(method, settings):
    X = np.random.default_rng(0).standard_normal((300, 2))
    model = all_methods()[method](**settings).fit(X, X[:, 0] > 0)
    foreign = type(next(iter(settings.values()))).__name__
    with pytest.raises(DeployError, match=f"{model.title} cannot be.*{foreign}"):
        to_python(model)


def test_the_bill_tells_what_was_bought_shared_and_said():
    model, X, said = fitted("tefe")
    decide = module(to_python(model))["decide"]
    prices = model.hypergraph
    row = int(np.lexsort((said.cost, said.acquired.sum(axis=1) < 3))[0])
    names = prices.features
    got = decide(dict(zip(names, X[row].tolist(), strict=True)))
    assert [line.feature for line in got.bill] == list(got.computed)
    paid = set()
    for line in got.bill:
        needs = prices.required_components([line.feature])
        needed = {prices.components[c] for c in np.flatnonzero(needs)}
        assert set(line.already_paid) == needed & paid
        news = [prices.components.index(one) for one in needed - paid]
        assert line.cost == pytest.approx(prices.component_costs[news].sum())
        paid |= needed
    assert sum(line.cost for line in got.bill) == pytest.approx(got.cost)
    assert got.bill[-1].score == got.score
    assert "sure enough" in got.why


@each("name", ["l1", "trimmed_naive_bayes"])
def test_no_two_things_of_the_file_have_one_name(name):
    defined = re.findall(r"^(?:def|class) (\w+)", to_python(fitted(name)[0]), re.M)
    assert len(defined) > 10
    assert len(set(defined)) == len(defined)


def test_file_runs_alone_and_isolated(tmp_path):
    model, X, said = fitted("tefe")
    (tmp_path / "policy.py").write_text(to_python(model, ["Test F1 0.9."]))
    sample = dict(zip(model.hypergraph.features, X[0].tolist(), strict=True))
    asked = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import policy\n"
    asked += f"assert 'Test F1 0.9.' in policy.__doc__\nprint(policy.decide({sample}))"
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", asked],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"label={str(said.labels[0])!r}" in run.stdout


def test_a_sample_is_taken_by_name_in_any_order():
    model, X, said = fitted("l1, by name")
    decide = module(to_python(model))["decide"]
    frame = pd.DataFrame(X, columns=model.hypergraph.features).iloc[:, ::-1]
    for i in range(0, len(X), 97):
        row = frame.iloc[i]
        assert decide(row) == decide(row.to_dict()) == decide(row[::-1])
        assert decide(row).label == said.labels[i]


def test_a_sample_is_taken_by_names_that_look_the_same():
    composed, apart = "gr\u00f6\u00dfe", "gro\u0308\u00dfe"
    hypergraph = FeatureHypergraph.independent([1.0, 2.0], [composed, "b"])
    X = np.random.default_rng(0).normal(size=(80, 2))
    model = all_methods()["csdt"](hypergraph).fit(X, X[:, 0] > 0)
    decide = module(to_python(model))["decide"]
    known = decide({composed: 0.5, "b": -2.0})
    assert composed in known.computed
    assert decide({apart: 0.5, "b": -2.0, "beyond": 1}) == known
    with pytest.raises(ValueError, match=f"feature '{composed}' twice"):
        decide({apart: 0.5, composed: 0.5, "b": -2.0})


def test_hostile_names_stay_text():
    names = ['"""\nimport os', "\\", "*/ #error", "</script>", "ü\u2028", "a'b{}"]
    X = np.random.default_rng(0).standard_normal((60, 6))
    prices = FeatureHypergraph(np.eye(6), np.ones(6), names, names, unit='"""')
    y = np.where(X.sum(axis=1) > 0, '"""\\', "no")
    model = all_methods()["csdt"](prices).fit(X, y)
    decide = module(to_python(model))["decide"]
    got = [decide(dict(zip(names, row, strict=True))).label for row in X.tolist()]
    assert got == model.predict(X).tolist()


def test_what_is_not_finite_is_told():
    model, _, _ = fitted("l1")
    decide = module(to_python(model))["decide"]
    with pytest.raises(ValueError, match="is nan; give a finite number"):
        decide(dict.fromkeys(model.hypergraph.features, math.nan))
