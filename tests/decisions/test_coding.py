"""Integers, codes, days and gaps are taken as they are."""

import json
import subprocess

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import Pipeline

from solvers import all_methods, split_dataset
from solvers.datasets import from_frame
from solvers.datasets.columns.coding import coded_table
from solvers.decisions.coding import CodedValues
from solvers.deploy import policy_from, to_c, to_html, to_python
from solvers.errors import DeployError
from solvers.frontier.evaluation import with_threshold
from tests.deploy.test_c import CHECKED, answers, compiled
from tests.each import each

COSTS = {"age": 1.0, "pain": 2.0, "seen": 4.0, "smokes": 1.0, "code": 1.0, "steps": 1.0}


KINDS = {"pain": {"kind": "category"}, "code": {"encoding": "mean of the label"}}


def frame(n=240, seed=3):
    rng = np.random.default_rng(seed)
    pain = rng.choice(["dull", "none", "sharp", "tight", None], n)
    ill = rng.random(n) < np.where(pain == "none", 0.1, 0.7)
    return pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.normal(50 + 5 * ill, 9)),
            "pain": pain,
            "seen": pd.date_range("2021-03-01 10:00", periods=n, freq="29h"),
            "smokes": rng.choice(["yes", "no"], n),
            "code": rng.choice([f"k{k}" for k in range(9)], n),
            "steps": rng.integers(0, 200, n) - 40 * ill,
            "ill": np.where(ill, "y", "n"),
        }
    )


@pytest.fixture(scope="module")
def table():
    data = from_frame(frame(), "ill", costs=COSTS, kinds=KINDS, positive="y")
    assert {"number", "category", "date", "yes/no"} <= {c.kind for c in data.schema}
    return data


def strange_rows():
    """Rows of training, and others: unseen words, gaps where none were, odd dates."""
    rows = pd.concat([frame(), frame(60, seed=8)], ignore_index=True)
    rows.loc[240:, "pain"] = ["burning", None] * 30
    rows.loc[240::3, "smokes"] = None
    rows.loc[241::3, "seen"] = pd.Timestamp("1968-02-29 23:59:59")
    rows.loc[242::5, "seen"] = pd.NaT
    rows.loc[240::7, "steps"] = np.nan
    return rows.drop(columns="ill")


def samples(rows):
    """Rows as people write them: dates as objects, what is missing as None."""
    found = rows.astype(object).where(rows.notna(), None).to_dict("records")
    for row in found:
        row["seen"] = row["seen"] and row["seen"].to_pydatetime()
    return found


@pytest.fixture(scope="module", params=["l1", "csdt", "csnb", "hypergraph_cascade"])
def saved(request, table):
    split = split_dataset(table)
    encoder, (X, _) = split.encoder, (split.X("train"), None)
    hypergraph = encoder.encoded_hypergraph(table.hypergraph)
    settings = (
        {"model": "expanded", "stages": 3, "order": "forward"}
        if request.param == "hypergraph_cascade"
        else {}
    )
    model = all_methods()[request.param](hypergraph, **settings)
    model.fit(X, split.y("train"))
    return Pipeline(
        [("columns", encoder), ("classifier", with_threshold(model, 0.25, table))]
    )


def bought(saved, rows):
    encoder, model = saved.steps[0][1], saved.steps[1][1].estimator_.estimator
    decision = model.decide(encoder.transform(rows))
    return decision, encoder.columns_of(np.asarray(decision.acquired))


def test_python_takes_raw_rows(saved):
    rows = strange_rows()
    space = {"__name__": "policy"}
    exec(to_python(saved), space)
    decision, acquired = bought(saved, rows)
    labels = saved.predict(rows)
    names = np.array(saved.steps[0][1].schema.names)
    for i, sample in enumerate(samples(rows)):
        got = space["decide"](sample)
        assert got.label == labels[i]
        assert set(got.computed) == set(names[acquired[i]])
        assert got.cost == pytest.approx(decision.cost[i])
        assert got.score == pytest.approx(decision.scores[i], rel=1e-9, abs=1e-9)
        assert got.cost == pytest.approx(sum(line.cost for line in got.bill))


def test_c_takes_codes_days_and_gaps(saved, tmp_path):
    rows, policy = strange_rows(), policy_from(saved)
    codes = coded_table(saved.steps[0][1].schema, rows)[:, policy.places]
    got = answers(compiled(tmp_path, to_c(saved)), codes)
    decision, acquired = bought(saved, rows)
    assert np.array_equal(policy.classes[0] == "n", True)
    assert np.array_equal(
        np.array(policy.classes)[got[:, 0].astype(int)], saved.predict(rows)
    )
    assert np.allclose(got[:, 1], decision.scores, 1e-9, 1e-9)
    assert np.allclose(got[:, 2], decision.cost)
    bits = got[:, 3 : 3 + len(policy.places)]
    assert np.array_equal(bits, acquired[:, policy.places])


def guessed_cells(encoder, rows):
    complete = np.array([not column.has_gaps for column in encoder.schema])
    return np.isnan(coded_table(encoder.schema, rows)) & complete


def unseen_cells(encoder, rows):
    found = {"pain": rows["pain"] == "burning", "seen": rows["seen"].dt.year == 1968}
    nowhere = np.zeros(len(rows), dtype=bool)
    names = encoder.schema.names
    return np.column_stack([found.get(name, nowhere) for name in names])


@pytest.mark.parametrize(
    ("what", "cells"), [("guessed", guessed_cells), ("unseen", unseen_cells)]
)
def test_what_training_had_not_is_said_by_all_exports(saved, tmp_path, what, cells):
    rows, policy, encoder = strange_rows(), policy_from(saved), saved.steps[0][1]
    _, acquired = bought(saved, rows)
    odd = cells(encoder, rows)
    found = dict(zip(encoder.schema.names, odd.sum(axis=0).tolist(), strict=True))
    counts = getattr(encoder, what)(rows)
    assert counts == {name: n for name, n in found.items() if n}
    wanted = (odd & acquired)[:, policy.places]
    assert wanted.any()
    space = {"__name__": "policy"}
    exec(to_python(saved), space)
    for sample, places in zip(samples(rows), wanted, strict=True):
        names = set(np.array(policy.features)[places])
        assert set(getattr(space["decide"](sample), what)) == names
    texts = to_c(saved)
    example = texts["policy_example.c"].replace("said.features[", f"said.{what}[")
    told = compiled(tmp_path, texts | {"policy_example.c": example})
    codes = coded_table(encoder.schema, rows)
    got = answers(told, codes[:, policy.places])
    assert np.array_equal(got[:, 3 : 3 + len(policy.places)], wanted)


@each("nothing", [None, np.nan, pd.NA, pd.NaT, float("nan")])
@each("kind", ["number", "date", "listed", "hashed"])
def test_what_is_no_value_is_a_gap_in_python(nothing, kind):
    kinds = {"x": (kind, ("a", "b"))}
    assert np.isnan(CodedValues({"x": nothing}, kinds, (), {})["x"])


def test_what_is_no_value_is_a_gap_in_c_as_in_the_estimator(saved, tmp_path):
    rows, policy = frame(8).drop(columns="ill"), policy_from(saved)
    codes = coded_table(saved.steps[0][1].schema, rows)[:, policy.places]
    for place, kind in enumerate(policy.kinds):
        row = codes[0, place], codes[1, place]
        if kind.kind == "date":
            row = 3e6, -1e300  # beyond the calendar's ends
        elif kind.kind == "number":
            row = np.inf, -np.inf
        codes[:2, place] = row
        rows.loc[:1, policy.features[place]] = (
            rows.loc[:1, policy.features[place]] if kind.words else None
        )
    got = answers(compiled(tmp_path, to_c(saved), CHECKED), codes)
    assert np.allclose(got[:, 1], bought(saved, rows)[0].scores, 1e-9, 1e-9)


def test_integers_are_taken_as_they_are(tmp_path):
    X = np.random.default_rng(0).integers(0, 200, (60, 2)).astype(float)
    model = all_methods()["csdt"]().fit(X, X[:, 0] > 90)
    texts = to_c(model, integers={"x0": "uint8_t"})
    assert "uint8_t policy_feature_x0(" in texts["policy.h"]
    columns = list(policy_from(model).places)
    got = answers(compiled(tmp_path, texts), X[:, columns])
    assert np.array_equal(got[:, 0], model.predict(X))
    for wrong, said in (({"x9": "int8_t"}, "asks for no"), ({"x0": "int"}, "use one")):
        with pytest.raises(DeployError, match=said):
            to_c(model, integers=wrong)


def written_frame(n=120, seed=5):
    """Rows in words: money, percentages, decimal commas, days, times, durations."""
    rng = np.random.default_rng(seed)
    ill = rng.random(n) < 0.5
    days = pd.Timestamp("2020-01-15") + pd.to_timedelta(rng.integers(0, 900, n), "D")
    minutes = rng.integers(0, 700, n) + 600 * ill
    waits = rng.integers(1, 40, n) + 30 * ill
    pay = rng.integers(100, 900_000, n) / 100 + 900 * ill
    return pd.DataFrame(
        {
            "pay": [f"{x:,.2f} €".translate({44: ".", 46: ","}) for x in pay],
            "rate": [f"{x:.1f} %".replace(".", ",") for x in rng.normal(9 + ill, 2)],
            "seen": [f"{day:%d/%m/%Y}" for day in days],
            "call": [f"{m // 60:02}:{m % 60:02}" for m in minutes],
            "wait": [f"{w} h 30 min" for w in waits],
            "note": [f"n{k}" for k in rng.integers(0, 99, n) + 50 * ill],
            "again": ["ja" if x else "nein" for x in rng.random(n) < 0.3 + 0.4 * ill],
            "ill": np.where(ill, "y", "n"),
        }
    )


@pytest.fixture(scope="module", params=["csdt", "l1"])
def of_words(request):
    hashed = {"note": "hashed"}
    data = from_frame(written_frame(), "ill", positive="y", kinds=hashed)
    kinds = [column.kind for column in data.schema]
    assert kinds == [
        *("number", "number", "date", "time"),
        *("number", "hashed", "yes/no"),
    ]
    split = split_dataset(data)
    hypergraph = split.encoder.encoded_hypergraph(data.hypergraph)
    model = all_methods()[request.param](hypergraph)
    model.fit(split.X("train"), split.y("train"))
    return Pipeline([("columns", split.encoder), ("classifier", model)])


def test_words_are_decided_about_alike_by_estimator_python_and_c(of_words, tmp_path):
    rows = written_frame(60, seed=9).drop(columns="ill")
    rows.loc[:4, "pay"] = ["5", "1.234,5 EUR", "€ 1.000", "n.k.", "-3 €"]
    rows.loc[:2, "again"] = ["vielleicht", " ja ", None]
    rows.loc[:3, "call"] = ["9:05 pm", "24:00", "25:00", None]
    encoder = of_words.steps[0][1]
    labels, scores = of_words.predict(rows), of_words.decision_function(rows)
    space = {"__name__": "policy"}
    exec(to_python(of_words), space)
    for sample, label, score in zip(
        rows.to_dict("records"), labels, scores, strict=True
    ):
        got = space["decide"](sample)
        assert got.label == label
        assert got.score == pytest.approx(score, rel=1e-9, abs=1e-9)
    policy = policy_from(of_words)
    codes = coded_table(encoder.schema, rows)[:, policy.places]
    program = compiled(tmp_path, to_c(of_words), CHECKED)
    found = answers(program, codes)
    assert np.allclose(found[:, 1], scores, 1e-9, 1e-9)
    cells = rows[list(policy.features)].fillna(" NA ").to_numpy().tolist()
    lines = "".join("\t".join(row) + "\n" for row in cells)
    run = subprocess.run(
        [program, "--words"], input=lines, capture_output=True, text=True, check=True
    )
    in_words = [line.split() for line in run.stdout.splitlines()]
    assert np.array_equal(np.array(in_words, dtype=float), found)
    read = read_by_page(to_html(of_words), rows[list(policy.features)], tmp_path)
    numbers = [kind.kind == "number" for kind in policy.kinds]
    assert np.array_equal(read[:, numbers], codes[:, numbers], equal_nan=True)


def read_by_page(page, rows, folder):
    """What a page reads in the words of its numbers; NaN where it offers a field."""
    script = page.split("<script>")[1].split("// Asks for one test at a time")[0]
    script += (
        "const rows = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(rows.map((row) => row.map((word, k) => "
        "policy.forms[k] ? readWord(word, policy.forms[k]) : null))));"
    )
    (folder / "page.js").write_text(script, "utf-8")
    told = json.dumps(rows.fillna("").to_numpy().tolist())
    run = subprocess.run(
        ["node", folder / "page.js"],
        input=told,
        capture_output=True,
        text=True,
        check=True,
    )
    return np.array(json.loads(run.stdout), dtype=float)
