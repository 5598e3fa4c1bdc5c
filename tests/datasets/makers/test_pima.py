"""Rows from a package or a file, prices that come along, or a sentence what to do."""

import importlib.util
import sys

import numpy as np
import pytest

from explorer.commands.cli import main
from explorer.session.context import Context
from explorer.session.data_menu import DataMenu
from explorer.session.link import open_asked
from explorer.session.state import SessionState, bundled
from solvers import Frontier, split_dataset, trace_frontier
from solvers.datasets import all_datasets, dataset_is_here, make_pima
from solvers.datasets.makers.pima import PACKAGES
from solvers.errors import DataError
from solvers.methods.random_forest import RandomForestClassifier
from tests.each import each

N = 240
OURS = ("pregnancies", "glucose", "blood_pressure", "skin", "insulin", "mass")
OURS += ("pedigree", "age")
# As mlbench writes them: gaps are named, rows too, and the columns stand in any order.
MLBENCH = ("diabetes", "age", "pedigree", "mass", "insulin", "triceps", "pressure")
MLBENCH += ("glucose", "pregnant")
KAGGLE = "Pregnancies,Glucose,BloodPressure,SkinThickness,Insulin,BMI,"
KAGGLE += "DiabetesPedigreeFunction,Age,Outcome"


@pytest.fixture(scope="module")
def rows():
    """Invented rows of the same form: glucose tells, half of insulin is a zero."""
    rng = np.random.default_rng(0)
    X = np.column_stack(
        [
            rng.poisson(3, N),
            rng.integers(60, 199, N),
            rng.integers(50, 110, N),
            rng.integers(10, 60, N),
            rng.integers(20, 600, N) * (rng.random(N) < 0.5),
            rng.integers(200, 500, N) / 10,
            rng.integers(100, 999, N) / 1000,
            rng.integers(21, 80, N),
        ]
    )
    X[:3, 1] = 0
    return X, rng.random(N) < 1 / (1 + np.exp((130 - X[:, 1]) / 12))


def lines(rows, words=("0", "1"), places=range(9), gap=None):
    for k, (x, positive) in enumerate(zip(*rows, strict=True)):
        cells = [f"{value:g}" for value in x] + [words[int(positive)]]
        if gap:
            cells = [
                gap if j in (1, 4) and c == "0" else c for j, c in enumerate(cells)
            ]
        yield ",".join([f'"{k}"'] * bool(gap) + [cells[j] for j in places])


FORMS = {
    "UCI": lambda rows: [*lines(rows)],
    "Kaggle": lambda rows: [KAGGLE, *lines(rows)],
    "mlbench": lambda rows: [
        ",".join(f'"{name}"' for name in ("", *MLBENCH)),
        *lines(rows, ('"neg"', '"pos"'), range(8, -1, -1), "NA"),
    ],
    "KEEL": lambda rows: [
        "@relation pima",
        *(
            f"@attribute {name} real [0.0, 846.0]"
            for name in "Preg Plas Pres Skin Insu Mass Pedi Age".split()
        ),
        "@attribute Class {positive,negative}",
        "@data",
        *lines(rows, ("negative", "positive")),
    ],
}


@pytest.fixture
def nowhere(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    bundled.cache_clear()


@pytest.fixture
def installed(rows, tmp_path, monkeypatch):
    """A package that has the rows; to import it is a mistake."""
    package, inside = next(iter(PACKAGES.items()))
    file = tmp_path / package / inside
    file.parent.mkdir(parents=True)
    file.write_text("\n".join(FORMS["KEEL"](rows)))
    (tmp_path / package / "__init__.py").write_text("raise RuntimeError")
    monkeypatch.syspath_prepend(tmp_path)
    bundled.cache_clear()
    yield
    bundled.cache_clear()
    assert package not in sys.modules


@each("form", FORMS)
def test_a_file_of_any_form_gives_the_same_rows(form, rows, tmp_path):
    file = tmp_path / "pima.csv"
    file.write_text("\n".join(FORMS[form](rows)) + "\n", "utf-8")
    data = make_pima(file)
    want = rows[0].copy()
    want[:, [1, 4]] = np.where(want[:, [1, 4]] == 0, np.nan, want[:, [1, 4]])
    assert data.feature_names == OURS
    assert np.array_equal(data.X, want, equal_nan=True)
    assert np.array_equal(data.y == "diabetic", rows[1])
    assert "'insulin'" in data.notes[0]


@each(
    ("text", "said"),
    [
        ("1,2,3\n", "give the columns 'pregnancies', "),
        ("glucose,age,Outcome\n1,2,0\n", "has no column 'pregnancies', "),
        ("1,2,3,4,5,6,7,8,maybe\n", "has the class 'maybe'"),
        ("1,2,x,4,5,6,7,8,0\n", "holds what is no number"),
    ],
)
def test_another_file_is_refused(text, said, tmp_path):
    file = tmp_path / "other.csv"
    file.write_text(text)
    with pytest.raises(DataError, match=said):
        make_pima(file)
    with pytest.raises(DataError, match="cannot be read as text"):
        make_pima(tmp_path / "none.csv")


def test_prices_alone_and_after_the_other_are_those_of_the_schedule(installed):
    prices = make_pima().hypergraph
    alone = dict(zip(prices.features, prices.marginal_costs().tolist(), strict=True))
    assert (alone.pop("glucose"), alone.pop("insulin")) == pytest.approx((17.61, 22.78))
    assert set(alone.values()) == {1.0}
    for first, second, more in (
        ("insulin", "glucose", 15.51),
        ("glucose", "insulin", 20.68),
    ):
        paid = prices.required_components([first])
        left = prices.marginal_costs(paid)[prices.features.index(second)]
        assert left == pytest.approx(more)
    asked = np.array([[n == "age" for n in OURS], [n == "insulin" for n in OURS]])
    delay = prices.price("delay").of_rows(prices.required_component_rows(asked))
    assert delay.tolist() == [0.0, 1.0]


def test_it_is_learned_from_as_every_other(installed):
    data = all_datasets()["pima"]()
    assert split_dataset(data).rows["test"].size > 40
    frontier = Frontier(trace_frontier(RandomForestClassifier(n_estimators=10), data))
    assert frontier.best_within(45.0).scores["test"]["f1"] > 0.7


def test_where_the_rows_are_the_menu_offers_them(installed):
    assert dataset_is_here("pima")
    labels = [item["label"] for item in DataMenu(Context(SessionState()))._button.items]
    assert any("(768 rows, 2 classes, published prices)" in one for one in labels)


def test_where_they_are_not_everything_says_what_to_install(nowhere, tmp_path, capsys):
    said = 'pip install "thriftscope[pima]"'
    assert not dataset_is_here("pima")
    with pytest.raises(DataError, match=r"thriftscope\[pima\]"):
        make_pima()
    session = SessionState()
    (told,) = open_asked({"data": "pima"}, session)
    assert said in told
    assert session.dataset.name != "pima"
    labels = [item["label"] for item in DataMenu(Context(session))._button.items]
    assert not any(label.startswith("Diabetes") for label in labels)
    assert main(["run", "--data", "pima", "--out", str(tmp_path)]) != 0
    assert said in capsys.readouterr().err
