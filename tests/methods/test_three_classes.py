"""Of three classes every method gives points, or says by name that it takes two."""

import json
from itertools import islice

import numpy as np
import pandas as pd
import pytest

from explorer.commands.cli import main
from solvers import all_methods, split_dataset, trace_frontier
from solvers.datasets import from_frame
from tests.each import each
from tests.fuzz.refusal import refusal

OF_TWO = "Only binary classification is supported."
THREE = f"{OF_TWO} The type of the target is multiclass, with 3 classes; keep two."


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
def test_a_method_gives_points_or_says_that_it_takes_two(name, split):
    found = []

    def models():
        points = islice(trace_frontier(name, split.dataset, split=split), 3)
        found.extend(point.model for point in points)

    said = refusal(models)
    if said is not None:
        assert said == THREE
        return
    assert found
    for model in found:
        answers = model.predict(split.X("test"))
        assert set(answers) <= {"low", "middle", "top"}


def test_the_command_leaves_out_by_name_and_goes_on(tmp_path, capsys):
    path, out = tmp_path / "three.csv", tmp_path / "out"
    frame().to_csv(path, index=False)
    methods = "cstc,dag,csdt"
    told = ["run", "--table", str(path), "--target", "stage", "--methods", methods]
    assert main([*told, "--out", str(out)]) == 0
    said = capsys.readouterr()
    for name in ("cstc", "dag"):
        assert f"{name} is left out: {OF_TWO}" in said.err
    traced = set(pd.read_csv(out / "frontier.csv")["method"])
    assert traced == {"csdt"}
    chosen = json.loads((out / "selection.json").read_text())
    assert chosen["scores"]["test"]["f1"] > 0.6
