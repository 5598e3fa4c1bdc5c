"""What went wrong for others in public is right here: `README.md` says where."""

import io
import random
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from explorer.commands.cli import main
from explorer.export.files import load_estimator
from solvers import FeatureHypergraph, all_methods, read_table, trace_extractor
from solvers.bayes import BayesianClassifier, classic_network
from solvers.bayes.readers import read_model
from solvers.costs.interchange import read_hypergraph
from solvers.datasets.columns.coding import decoded_column
from solvers.deploy import policy_from, to_c, to_python
from solvers.errors import DataWarning, InterchangeError
from tests.deploy.test_c import answers, compiled
from tests.each import each

from . import odd_features

INPUTS = Path(__file__).parent / "inputs"


def first(data, name, n):
    """The first values of a column as people have them."""
    codes = data.X[:n, data.feature_names.index(name)]
    if data.schema is None:
        return codes.tolist()
    column = data.schema.columns[data.feature_names.index(name)]
    if column.is_listed:
        return decoded_column(column, codes).tolist()
    return [None if code != code else code for code in codes.tolist()]


def bytes_in_parquet():
    rows = {
        "x": np.linspace(0, 1, 60).tolist(),
        "c": [b"p", b"q", b"q"] * 20,
        "y": [b"b", b"a", b"a"] * 20,
    }
    return written(pa.table(rows))


def nanoseconds_in_parquet():
    frame = pd.read_csv(INPUTS / "nanoseconds.csv")
    frame["t"] = pd.to_datetime(frame["t"], format="ISO8601")
    return written(pa.Table.from_pandas(frame))


def written(table):
    buffer = io.BytesIO()
    parquet.write_table(table, buffer)
    return buffer.getvalue()


CATEGORIES = dict.fromkeys(["hs", "icd", "version", "zip"], "category")
MOMENTS = [19723.0, 19723 + 45396.610169 / 86400, 19724 + 4393.220338 / 86400]
COSTS = {"costs": INPUTS / "composed_costs.csv"}
TABLES = [
    (
        ("blank_before_mark.csv", "income", {}),
        {"age": [21.0, 22.0], "work": ["Gov", "Private"]},
        "'age' (6), 'work' (8)",
    ),
    (
        ("underscore_codes.csv", "y", {}),
        {"block": ["1_0", "2_1", "3_2"]},
        "category: 'block'",
    ),
    (
        ("thousands_beside_points.csv", "y", {}),
        {"pay": [1000.0, 901.5, 902.5]},
        "'1,000' is 1000",
    ),
    (
        ("thousands_forced_number.csv", "y", {}),
        {"pay": [900.0, 1200.0, 902.0]},
        "'1,200' is 1200",
    ),
    (
        ("thousands_forced_number.csv", "y", {"kinds": {"pay": "number"}}),
        {"pay": [900.0, 1200.0, 902.0]},
        "'1,200' is 1200",
    ),
    (
        ("leading_zeros.csv", "y", {"kinds": CATEGORIES}),
        {
            "zip": ["02000", "02001"],
            "hs": ["01", "1"],
            "icd": ["007.1", "7.10"],
            "version": ["1.1", "1.10"],
        },
        "'hs' (4 values)",
    ),
    (
        ("time_of_day.csv", "y", {}),
        {"call": [0.0, 67 / 60, 134 / 60]},
        "minutes since midnight",
    ),
    (("nanoseconds.csv", "y", {}), {"t": MOMENTS}, "finer than a microsecond is cut"),
    (
        (nanoseconds_in_parquet, "y", {}),
        {"t": MOMENTS},
        "finer than a microsecond is cut",
    ),
    (("no_header.csv", "0", {}), {"30.5": [31.5, 32.5]}, "(has_header=False, --no-he"),
    (
        ("no_header.csv", "column 4", {"has_header": False}),
        {"column 1": [30.5, 31.5]},
        "",
    ),
    (("comments.svm", "label", {}), {"x1": [0.0, 0.143], "x3": [1.0, 2.0]}, ""),
    (("sep_line.csv", "y", {}), {"x": [0.844, 0.758]}, ""),
    (
        ("commas_in_a_semicolon_header.csv", "y", {}),
        {"height (cm, required)": [0.5, 1.5], "price (EUR, gross)": [0.0, 3.0]},
        "",
    ),
    ((bytes_in_parquet, "y", {}), {"c": ["p", "q", "q"]}, ""),
    (
        ("composed_names.csv", "y", COSTS),
        {"gro\u0308ße": [0.844, 0.758]},
        "under a name that looks the same",
    ),
    (
        ("factor_with_gap.csv", "y", {}),
        {"sex": ["f", "m"]},
        "6 of 60 rows dropped: 6 without a label.",
    ),
]


@each(
    ("read", "values", "note"),
    TABLES,
    ids=[getattr(source, "__name__", source) for (source, *_), *_ in TABLES],
)
def test_tables_are_read_as_they_are_meant(read, values, note):
    source, label, options = read
    source = source() if callable(source) else INPUTS / source
    data = read_table(source, label, **options)
    for name, wanted in values.items():
        assert first(data, name, len(wanted)) == pytest.approx(wanted, abs=1e-12)
    assert note in " ".join(data.notes)


A_THEN_B = {"A": [0.3, 0.7], "B": [[0.8, 0.2], [0.1, 0.9]]}


@each(
    ("file", "tables"),
    [
        ("row_order.bif", A_THEN_B),
        ("default_row.bif", A_THEN_B),
        ("old_form.bif", A_THEN_B),
        ("two_variables.uai", {"x0": A_THEN_B["A"], "x1": A_THEN_B["B"]}),
        ("plain.xml", {"A": [0.3, 0.7]}),
        ("doctype.xml", {"A": [0.3, 0.7]}),
    ],
)
def test_networks_are_those_of_the_file(file, tables):
    model = read_model((INPUTS / file).read_bytes(), file)
    assert model.tables.keys() == tables.keys()
    for name, table in tables.items():
        np.testing.assert_allclose(model.tables[name], table)


def test_a_row_that_cannot_occur_is_told_of():
    asia = classic_network("asia")
    features = ("either", "lung", "tub", "smoke")
    classifier = BayesianClassifier(asia, "dysp", "yes", features, 0.5)
    states = ("yes", "no", "no", "yes")
    pairs = zip(features, states, strict=True)
    row = np.array([[asia.state_index(name, state) for name, state in pairs]])
    with pytest.warns(DataWarning, match="gives 1 row, such as row 0, no chance"):
        posterior = classifier.posterior(row)
    assert np.isfinite(posterior).all()


@each(
    ("file", "unit", "costs"),
    [
        ("same_ids.json", "components", {"1": 1.0, "2": 1.0}),
        ("heart.cost", "us", {"age": 1.0, "chol": 7.27, "fbs": 5.2}),
        ("unit_in_header.csv", "USD", {"age": 1.0, "chol": 2.0}),
        ("money.csv", "USD", {"age": 1.0}),
    ],
)
def test_prices_are_those_of_the_file(file, unit, costs):
    prices = read_hypergraph(INPUTS / file).hypergraph
    assert prices.unit == unit
    assert dict(zip(prices.components, prices.component_costs, strict=True)) == costs


def test_two_costs_of_a_name_are_refused_with_what_to_write():
    with pytest.raises(
        InterchangeError, match="write the columns feature, cost, group and discount_c"
    ):
        read_hypergraph(INPUTS / "heart.expense")


def run(capsys, tmp_path, file, *more, methods="csdt"):
    """What ``thriftscope run`` prints of a table whose labels are called y."""
    told = ["--table", str(INPUTS / file), "--target", "y", "--methods", methods]
    out = ["--budget", "3", "--out", str(tmp_path / "out")]
    code = main(["run", *told, *out, *more])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_refusal_names_options_that_do_it(capsys, tmp_path):
    prices = ["--hypergraph", str(INPUTS / "isolated_node.json")]
    code, _, refusal = run(capsys, tmp_path, "isolated_node.csv", *prices)
    (option,) = re.findall(r"--[a-z-]+", refusal)
    assert code
    code, said, _ = run(capsys, tmp_path, "isolated_node.csv", *prices, option)
    assert not code
    assert "Positive is 'b'" in said


def test_it_is_printed_which_label_counts_as_positive(capsys, tmp_path):
    _, said, _ = run(capsys, tmp_path, "positive_class.csv")
    labels = pd.read_csv(INPUTS / "positive_class.csv")["y"].value_counts()
    assert f"Positive is '{labels.idxmin()}': " in said
    assert f"Calling every row {labels.idxmin()} scores " in said


def test_the_length_of_calls_is_learned_to_the_minute(capsys, tmp_path):
    _, said, _ = run(capsys, tmp_path, "time_of_day.csv", "--leave-out", "x")
    (f1,) = re.findall(r"csDT: F1 ([0-9.]+) \(test\)", said)
    assert float(f1) > 0.9


def test_a_run_exports_what_lightgbm_learned_without_naming_types(capsys, tmp_path):
    pytest.importorskip("lightgbm")
    run(capsys, tmp_path, "leading_zeros.csv", methods="cegb")
    out, policy = str(tmp_path / "out"), str(tmp_path / "policy")
    assert not main(["export", out, "--format", "python", "--out", policy])
    load_estimator((tmp_path / "out" / "estimator.skops").read_bytes())


@each("method", ["csdt", "random_forest", "hypergraph_cascade"])
def test_exports_decide_alike_on_the_thresholds_themselves(method, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.random((200, 3))
    names = ("a", "b", "c")
    y = np.where(X[:, 0] + 0.3 * X[:, 1] > 0.6, "p", "q")
    prices = FeatureHypergraph.independent([1.0, 2.0, 3.0], names, unit="s")
    model = all_methods()[method](prices).fit(X, y)
    source = to_python(model)
    cuts = sorted({float(cut) for cut in re.findall(r"\b0\.\d{3,}\b", source)})
    cuts = cuts[:: max(1, len(cuts) // 100)]
    assert cuts
    near = [
        (cut, np.nextafter(cut, 1), np.nextafter(cut, 0), float(np.float32(cut)))
        for cut in cuts
    ]
    values = np.ravel(near)
    rows = rng.random((3 * len(values), 3))
    for j in range(3):
        rows[j * len(values) : (j + 1) * len(values), j] = values
    wanted = model.predict(rows)
    space = {"__name__": "policy"}
    exec(source, space)
    samples = [dict(zip(names, row, strict=True)) for row in rows.tolist()]
    assert [space["decide"](sample).label for sample in samples] == wanted.tolist()
    places = list(policy_from(model).places)
    found = answers(compiled(tmp_path, to_c(model)), rows[:, places])
    assert np.array_equal(model.classes_[found[:, 0].astype(int)], wanted)


def test_every_trimmed_extractor_gives_the_values_of_the_whole():
    rng = np.random.default_rng(0)
    features = odd_features.FEATURES
    traced = trace_extractor(features, [rng.normal(size=64) for _ in range(6)])
    samples = [rng.normal(size=64) * size for size in (0.1, 1.0, 5.0)]
    samples += [np.zeros(64), np.arange(64.0), np.r_[100.0, np.zeros(63)]]
    dealer = random.Random(1)
    for _ in range(8):
        chosen = dealer.sample(features, dealer.randint(1, len(features)))
        trimmed = traced.trim([feature.__name__ for feature in chosen])
        for sample in samples:
            wanted = [f(sample.copy()) for f in features if f in chosen]
            assert [*trimmed(sample.copy())] == wanted
