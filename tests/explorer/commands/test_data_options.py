"""``thriftscope run`` takes tables as people have them, and says what they became."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from explorer.commands.cli import main
from explorer.commands.data_options import table_text
from explorer.export.files import load_estimator
from solvers import split_dataset
from solvers.datasets import from_frame
from solvers.datasets.table import files
from tests.datasets.sparse_files import as_npz, rows
from tests.each import each


def frame(n=200):
    rng = np.random.default_rng(5)
    pain = rng.choice(["dull", "none", "sharp"], n)
    return pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.normal(50, 9, n)),
            "pain": pain,
            "grade": rng.integers(1, 4, n),
            "who": [f"p{k}" for k in rng.integers(0, 40, n)],
            "times": rng.integers(1, 3, n),
            "ill": np.where(
                rng.random(n) < np.where(pain == "none", 0.1, 0.8), "y", "n"
            ),
        }
    )


def run(tmp_path, *options):
    path = tmp_path / "table.csv"
    frame().to_csv(path, index=False)
    of_table = ["--table", str(path), "--target", "ill"]
    out = ["--out", str(tmp_path / "out")]
    main(["run", *of_table, "--methods", "forward_selection", *out, *options])


def test_all_that_a_table_says_is_used_and_told(tmp_path, capsys):
    kinds = tmp_path / "kinds.json"
    kinds.write_text(json.dumps({"columns": {"grade": {"kind": "code"}}}))
    costs = tmp_path / "costs.csv"
    costs.write_text(
        "feature,cost_CAD,group,discount_cost_CAD\nage,1,,\npain,3,visit,1\n"
        "grade,4,visit,2\n"
    )
    run(
        *(tmp_path, "--kinds", str(kinds), "--missing", "value", "--group", "who"),
        *("--weights", "times", "--positive", "y", "--hypergraph", str(costs)),
    )
    said = capsys.readouterr().out
    assert "  pain (category): pain=dull, pain=none, pain=sharp, pain=other\n" in said
    assert "  grade (code): grade=1, grade=2, grade=3, grade=other\n" in said
    assert "A gap counts as a value of its own: 'age' (" in said
    assert "CAD" in said
    assert "Positive is 'y': " in said
    assert "Calling every row y scores " in said
    chosen = json.loads((tmp_path / "out" / "selection.json").read_text())
    assert "pain" in chosen["features"]
    assert set(chosen["features"]) <= {"age", "pain", "grade"}
    loaded = load_estimator((tmp_path / "out" / "estimator.skops").read_bytes())
    assert set(loaded.predict(frame().drop(columns="ill"))) == {"y", "n"}


@each(
    ("more", "features"),
    [
        (("--unpriced", "free"), {"age", "pain", "grade", "times"}),
        (("--unpriced", "drop"), {"age", "pain"}),
        (("--leave-out", "grade, times"), {"age", "pain"}),
        (("--leave-out", "grade", "--leave-out", '"times"'), {"age", "pain"}),
    ],
)
def test_columns_that_the_costs_do_not_name(tmp_path, more, features):
    costs = tmp_path / "costs.csv"
    costs.write_text("feature,cost_CAD\nage,1\npain,3\n")
    run(tmp_path, "--hypergraph", str(costs), *more)
    drawn = json.loads((tmp_path / "out" / "hypergraph.json").read_text())
    assert {edge["edge"] for edge in drawn["incidences"]} == features


def test_columns_that_the_costs_do_not_name_are_refused_with_the_option(
    tmp_path, capsys
):
    costs = tmp_path / "costs.csv"
    costs.write_text("feature,cost_CAD\nage,1\npain,3\n")
    run(tmp_path, "--hypergraph", str(costs))
    refusal = capsys.readouterr().err
    assert "No cost is known of columns 'grade', 'times'; make the names" in refusal
    assert "--unpriced drop" in refusal


def test_what_became_of_a_column_stands_on_one_line_whatever_it_holds():
    table = frame()
    table["pain"] = np.where(table["pain"] == "dull", "dull,\nthen gone", "none")
    split = split_dataset(from_frame(table[["age", "pain", "ill"]], "ill"))
    lines = table_text(split).partition("became:\n")[2].split("\n")
    assert [line.strip() for line in lines if line][1].startswith("pain (category)")
    assert sum(bool(line) for line in lines) == 2


def test_a_sweep_says_what_became_of_the_table(tmp_path, capsys):
    run(tmp_path, "--missing", "drop", "--seeds", "3-4", "--workers", "1")
    said = capsys.readouterr().out
    gaps = int(frame()["age"].isna().sum())
    assert f"{gaps} of 200 rows dropped: {gaps} with a missing value." in said
    assert "  pain (category): pain=dull, pain=none, pain=sharp, pain=other\n" in said
    assert "mean test F1 at any cost, over 2 run(s)" in said
    assert "Positive is 'y': " in said
    assert re.search(r"Calling every row y scores 0\.\d{3} on 2 splits\.", said)


def test_options_of_a_table_need_one(tmp_path, capsys):
    main(["run", "--data", "gaussian", "--group", "a", "--out", str(tmp_path)])
    assert "name one with --table" in capsys.readouterr().err


def test_sparse_rows_are_traced_by_the_methods_that_take_them(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(files, "MAX_CELLS", 100)
    X, y = rows(n=200)
    path, out = tmp_path / "rows.npz", tmp_path / "out"
    path.write_bytes(as_npz(X, ill=y))
    told = ["--table", str(path), "--target", "ill", "--out", str(out)]
    main(["run", *told, "--methods", "tefe,forward_selection"])
    said = capsys.readouterr()
    assert "tefe is left out: TEFE takes no sparse rows; give" in said.err
    assert "Rows stay sparse" in said.out
    chosen = json.loads((out / "selection.json").read_text())
    assert "x1" in chosen["features"]


INCIDENCE = "component,cost,age,pain,grade\nvisit,2,0,1,1\nold,1,1,0,0\n"
KEPT = "feature,cost{},group,discount_cost\nage,1,,\npain,3,visit,1\ngrade,{},visit,2\n"


@pytest.fixture
def costs(tmp_path):
    def write(text):
        (tmp_path / "costs.csv").write_text(text)
        return "--hypergraph", str(tmp_path / "costs.csv")

    return write


@each("text", [INCIDENCE, KEPT.format("", 4)])
def test_costs_without_a_unit_are_read_once_it_is_named(tmp_path, costs, capsys, text):
    told = ("--kinds", str(tmp_path / "kinds.json"))
    left_out = {name: "identifier" for name in ("who", "times")}
    (tmp_path / "kinds.json").write_text(json.dumps({"columns": left_out}))
    run(tmp_path, *costs(text), *told)
    assert "'costs.csv' does not say what its costs count in; say it with --unit" in (
        capsys.readouterr().err
    )
    assert not (tmp_path / "out").exists()
    run(tmp_path, *costs(text), *told, "--unit", "CAD")
    said = capsys.readouterr().out
    assert "The file names no unit: costs are taken as CAD." in said
    assert "costs: mean over rows, CAD" in said


@each(
    ("text", "sentence"),
    [
        (KEPT.format("_CAD", 4), "names the unit 'CAD', --unit says 'us'; leave out"),
        (KEPT.format("", 5), "'grade' saves 3 in group 'visit', where another saves 2"),
        (None, "name their file with --hypergraph."),
    ],
)
def test_a_unit_or_a_discount_that_disagrees_is_refused(
    tmp_path, costs, capsys, text, sentence
):
    run(tmp_path, *(costs(text) if text else ()), "--unit", "us")
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_values_that_no_training_row_holds_are_counted():
    part = np.repeat(["train", "validation", "test"], [80, 20, 20])
    town = np.array(["a", "b", "c"] * 40, dtype=object)
    town[[85, 110]] = "elsewhere"
    table = pd.DataFrame({"town": town, "part": part, "y": [0, 0, 1, 1] * 30})
    said = table_text(split_dataset(from_frame(table, "y", part="part")))
    assert "no training row holds, taken as rare ones" in said
    assert "'town' (2)." in said


def test_what_a_hypergraph_leaves_open_is_said_by_options(tmp_path, capsys):
    document = {
        "nodes": [{"node": name} for name in ("age", "pain", "grade")],
        "edges": [{"edge": "scale", "attrs": {"cost": 2.0}}, {"edge": "desk"}],
        "incidences": [
            {"edge": "scale", "node": "age"},
            {"edge": "desk", "node": "grade"},
        ],
    }
    path = tmp_path / "prices.json"
    path.write_text(json.dumps(document))
    told = ["--hypergraph", str(path), "--unit", "CAD", "--leave-out", "who,times"]
    run(tmp_path, *told)
    assert "(--missing-cost)" in capsys.readouterr().err
    run(tmp_path, *told, "--missing-cost", "0.5")
    assert "(--free-features)" in capsys.readouterr().err
    told += ["--budget", "3"]
    run(tmp_path, *told, "--missing-cost", "0.5", "--free-features")
    prices = json.loads((tmp_path / "out" / "hypergraph.json").read_text())
    costs = {edge["edge"]: edge["attrs"]["cost"] for edge in prices["edges"]}
    assert (costs["scale"], costs["desk"], sum(costs.values())) == (2.0, 0.5, 2.5)


OPEN = {
    "pay": ["950", "1,234", "?"],
    "seen": ["1/2/2024", "3/4/2024", "2/3/2024"],
    "grade": ["A", "none", "NA"],
}


@each(
    ("told", "cells"),
    [
        (("--decimal", ",", "--date-order", "dmy"), ["1,234' is 1.234", "2024-02-01"]),
        (("--decimal", ".", "--date-order", "mdy"), ["1,234' is 1234", "2024-01-02"]),
    ],
)
def test_what_a_table_leaves_open_is_refused_until_it_is_told(
    tmp_path, capsys, told, cells
):
    path = tmp_path / "open.csv"
    rows = {name: np.resize(words, 60) for name, words in OPEN.items()}
    table = pd.DataFrame({**rows, "y": ["a", "b", "b", "b", "a"] * 12})
    table.to_csv(path, index=False)
    run = ["run", "--table", str(path), "--target", "y", "--methods", "csdt"]
    run += ["--out", str(tmp_path / "out"), "--gap-marks", "?, none"]
    assert main(run)
    refused = capsys.readouterr().err
    assert "'1,234', which may be 1.234 (a decimal comma) or 1234" in refused
    assert "(--decimal)" in refused
    assert main([*run, "--decimal", "."])
    refused = capsys.readouterr().err
    assert "'seen' holds '1/2/2024', which may be 2024-02-01 or 2024-01-02" in refused
    assert "(--date-order)" in refused
    assert not main([*run, *told])
    said = capsys.readouterr().out
    for cell in cells:
        assert cell in said
    # NA is a grade here, and none is not.
    assert "grade (category, 20 gaps): grade=NA, grade is missing\n" in said
    assert "Positive is 'a': " in said
    assert "Calling every row a scores " in said
    assert "(nothing computed)" in said
    loaded = load_estimator((tmp_path / "out" / "estimator.skops").read_bytes())
    schema = loaded.steps[0][1].schema
    assert schema.gap_marks == ("", "?", "none")
    assert type(schema).from_json(schema.to_json()) == schema


def test_what_a_refusal_advises_are_options_of_the_command(capsys):
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    options = {*re.findall(r"--[a-z-]+", capsys.readouterr().out)}
    solvers = Path(files.__file__).parents[2]
    for path in solvers.rglob("*.py"):
        named = re.findall(r"[( ](--[a-z][a-z-]+)[ )]", path.read_text("utf-8"))
        assert {*named} <= options | {"--words"}, path
