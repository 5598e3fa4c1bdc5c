"""``thriftscope run`` gives what the app gives, and names what cannot be run."""

import json
import re
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from explorer.commands.cli import main
from explorer.export import load_estimator
from explorer.figures import saving
from explorer.figures.saving import printed
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled
from solvers import methods
from solvers.methods.cstc import CSTCClassifier
from tests.each import each


def test_run_writes_what_a_person_takes_away(table, tmp_path, capsys):
    out = tmp_path / "results"
    code = main(
        [
            "run", f"--table={table}", "--target=label", "--methods=l1,csdt",
            "--budget=5", f"--out={out}",
        ]
    )  # fmt: skip
    assert code == 0
    assert "F1" in capsys.readouterr().out
    selection = json.loads((out / "selection.json").read_text())
    assert len(selection["features"]) <= 5
    assert set(pd.read_csv(out / "frontier.csv")["method"]) == {"l1", "csdt"}
    estimator = load_estimator((out / "estimator.skops").read_bytes())
    data = bundled("breast_cancer")
    assert set(estimator.predict(data.X[:20, :8])) <= set(data.classes)


def test_a_long_training_says_how_far_it_is(tmp_path, capsys):
    """The bar stood at 0 points until the hypergraph cascade was trained."""
    path, rng = tmp_path / "small.csv", np.random.default_rng(0)
    frame = pd.DataFrame(rng.standard_normal((90, 2)), columns=["a", "b"])
    frame.assign(label=frame["a"] > 0).to_csv(path, index=False)
    asked = ["run", f"--table={path}", "--target=label", f"--out={tmp_path}"]
    assert main([*asked, "--methods=hypergraph_cascade"]) == 0
    bar = capsys.readouterr().err
    shares = [int(n) for n in re.findall(r"hypergraph_cascade, (\d+)% trained", bar)]
    assert ": :" not in bar
    assert shares == sorted(shares)
    assert len({*shares}) > 3


def test_run_prints_and_draws_the_points_of_the_app(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(saving, "printed", printed)
    asked = ["run", "--data=breast_cancer", "--methods=l1,forward_selection"]
    assert main([*asked, "--budget=5", f"--out={tmp_path}"]) == 0
    said = capsys.readouterr().out
    columns = (
        "F1 validation",
        "F1 test",
        "cost validation",
        "µs of predict: a row alone",
    )
    for column in columns:
        assert column in said
    for row in ("L1 ", "Forward selection", "(nothing computed)"):
        assert f"\n{row}" in said
    assert (tmp_path / "frontier.svg").read_text("utf-8").startswith("<svg")
    assert (tmp_path / "frontier.png").read_bytes()[1:4] == b"PNG"
    assert {path.name for path in tmp_path.glob("*.pdf")} == {"frontier.pdf"}
    command = pd.read_csv(tmp_path / "frontier.csv")
    assert "validation_cost_mean" in command
    command = command.query("method == 'l1'")
    state = FrontierState(dataset=bundled("breast_cancer"), methods=["l1"])
    TRACES.answer(state)
    app = state.frontier().to_frame()
    for name in ("test_f1", "cost_mean"):
        assert command[name].tolist() == pytest.approx(app[name].tolist())


def test_a_margin_is_named_above_the_table_and_has_its_column(tmp_path, capsys):
    asked = ["run", "--data=breast_cancer", "--methods=l1,csdt", f"--out={tmp_path}"]
    asked += ["--budget=25", "--accounting=max", "--confidence=.999"]
    assert main(asked) == 0
    table = capsys.readouterr().out.split("Best of each method")[1]
    assert "within 25.0 ms in 99.9% of samples of as many rows" in table
    assert "cost with that margin" in table
    # L1 asks every row the same; of the worst way through a tree rows tell nothing.
    assert "Of csDT that margin is the most that any row can cost" in table


@pytest.fixture
def iris(tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    path = tmp_path / "iris.csv"
    X.assign(kind=np.array(["a", "b", "c"])[y]).to_csv(path, index=False)
    return path


@each("sweep", [[], ["--seeds=0,1", "--workers=1"]])
def test_a_method_that_cannot_take_the_data_is_left_out_by_name(
    iris, tmp_path, capsys, sweep, monkeypatch
):
    monkeypatch.setattr(CSTCClassifier, "two_classes_only", True)
    asked = ["run", f"--table={iris}", "--target=kind", "--methods=cstc,jit"]
    assert main([*asked, *sweep, f"--out={tmp_path / 'out'}"]) == 0
    said = capsys.readouterr()
    assert "cstc is left out" in said.err
    assert "Only binary classification is supported" in said.err
    assert set(pd.read_csv(tmp_path / "out" / "frontier.csv")["method"]) == {"jit"}


@each("sweep", [[], ["--seeds=0,1", "--workers=1"]])
def test_methods_none_of_which_takes_the_data_are_refused(
    iris, tmp_path, capsys, sweep, monkeypatch
):
    monkeypatch.setattr(CSTCClassifier, "two_classes_only", True)
    asked = ["run", f"--table={iris}", "--target=kind", "--methods=cstc"]
    assert main([*asked, *sweep, f"--out={tmp_path / 'out'}"]) == 2
    assert "None of the methods takes the data" in capsys.readouterr().err


OWN = """
from solvers.methods.l1 import L1Classifier

class Mine(L1Classifier):
    title = "My own"
"""


@each("sweep", [[], ["--seeds=0,1", "--workers=2"]])
def test_a_method_is_run_by_module_and_class(
    table, tmp_path, capsys, monkeypatch, sweep
):
    (tmp_path / "own_file.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(methods, "_added", {})
    monkeypatch.setattr(sys, "path", [*sys.path])
    small = ["run", f"--table={table}", "--target=label"]
    if sweep:  # workers of an earlier one do not know the folder
        assert main([*small, "--methods=jit", *sweep, "--out=before"]) == 0
        capsys.readouterr()
    asked = [*small, "--methods=own_file:Mine"]
    assert main([*asked, *sweep, "--out=out"]) == 0
    names = set(pd.read_csv(tmp_path / "out" / "frontier.csv")["method"])
    assert names == {"own_file:Mine"}
    assert ("own_file:Mine" if sweep else "\nMy own ") in capsys.readouterr().out


def test_columns_and_prices_may_stand_in_any_order(tmp_path):
    """Of the table, of the prices, and of the rows that the saved model is given."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        rng.standard_normal((200, 3)), columns=["age", "scan", "pulse"]
    )
    label = np.where(frame["scan"] + 0.3 * frame["age"] > 0, "ill", "well")
    prices, chosen, answers = {"pulse": 2.0, "age": 1.0, "scan": 9.0}, [], []
    for number, names in enumerate(
        [["age", "scan", "pulse"], ["scan", "pulse", "age"]]
    ):
        table, costs = tmp_path / f"{number}.csv", tmp_path / f"{number}-costs.csv"
        frame[names].assign(label=label).to_csv(table, index=False)
        rows = "".join(f"{name},{prices[name]}\n" for name in names[::-1])
        costs.write_text(f"feature,cost_us\n{rows}")
        out = tmp_path / f"out{number}"
        asked = [f"--table={table}", f"--hypergraph={costs}", f"--out={out}"]
        assert main(["run", *asked, "--target=label", "--methods=csdt"]) == 0
        chosen.append(json.loads((out / "selection.json").read_text()))
        model = load_estimator((out / "estimator.skops").read_bytes())
        answers += [model.predict(frame[names]), model.predict(frame)]
    assert all(np.array_equal(answers[0], one) for one in answers)
    for key in ("cost", "scores", "threshold"):
        assert chosen[0][key] == chosen[1][key]
    for key in ("features", "components"):
        names = [sorted(map(str, one[key])) for one in chosen]
        assert names[0] == names[1]
