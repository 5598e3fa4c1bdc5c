"""Of three classes every method gives points; who takes two alone says so by name."""

import json
from itertools import islice

import numpy as np
import pandas as pd
import pytest

from explorer.commands.cli import main
from solvers import all_methods, split_dataset, trace_frontier
from solvers.datasets import from_frame
from solvers.methods.cstc import CSTCClassifier
from tests.each import each

OF_TWO = "Only binary classification is supported."


def frame(n=150, seed=0):
    rng = np.random.default_rng(seed)
    place = rng.integers(0, 3, n)
    words = np.array(["dull", "none", "sharp"])[place]
    return pd.DataFrame(
        {
            "age": place + rng.normal(0, 0.5, n),
            "late": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n) - place),
            "pain": np.where(rng.random(n) < 0.7, words, "none"),
            "stage": np.array(["low", "middle", "top"])[place],
        }
    )


@pytest.fixture(scope="module")
def split():
    costs = {"age": 1.0, "late": 3.0, "pain": 1.0}
    return split_dataset(from_frame(frame(), "stage", costs=costs))


@each("name", all_methods())
def test_every_method_gives_points(name, split):
    points = list(islice(trace_frontier(name, split.dataset, split=split), 3))
    assert points
    for point in points:
        answers = point.model.predict(split.X("test"))
        assert set(answers) <= {"low", "middle", "top"}


def test_the_command_leaves_out_by_name_and_goes_on(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(CSTCClassifier, "two_classes_only", True)
    path, out = tmp_path / "three.csv", tmp_path / "out"
    frame().to_csv(path, index=False)
    methods = "cstc,csdt"
    told = ["run", "--table", str(path), "--target", "stage", "--methods", methods]
    assert main([*told, "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert f"cstc is left out: {OF_TWO}" in said.err
    traced = set(pd.read_csv(out / "frontier.csv")["method"])
    assert traced == {"csdt"}
    chosen = json.loads((out / "selection.json").read_text())
    assert chosen["scores"]["test"]["f1"] > 0.6
