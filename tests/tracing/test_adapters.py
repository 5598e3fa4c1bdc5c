"""What adapters give is what the libraries give, to the last bit."""

import functools
import sys
import types

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.feature_selection import SelectKBest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, PolynomialFeatures, StandardScaler

from solvers import trace_extractor
from solvers.errors import PipelineError
from solvers.tracing import tracing
from solvers.tracing.adapters import (
    catch22_features,
    hamilton_pipeline,
    sklearn_pipeline,
    tsfel_features,
    tsfresh_features,
)


@functools.cache
def windows(n, length=512):
    rng = np.random.default_rng(0)
    time = np.arange(length) / 100
    tones = np.sin(2 * np.pi * rng.uniform(1, 20, size=(n, 1)) * time)
    return list(tones + rng.normal(size=(n, length)))


def bits(values):
    return [float(value).hex() for value in values]


# --------------------------------------------------------------------------- TSFEL


@pytest.fixture(scope="module")
def tsfel():
    return pytest.importorskip("tsfel")


@pytest.mark.filterwarnings("ignore")
def test_tsfel_shares_one_fft_and_gives_its_own_values(tsfel):
    features = tsfel_features(fs=100)
    traced = trace_extractor(features, windows(3), inside=["tsfel"])
    most = max((one for one in traced.shared), key=lambda one: len(one.features))
    assert most.component.startswith("calc_fft")
    assert len(most.features) >= 10
    wavelets = {one.component: one for one in traced.shared}
    assert len(wavelets["continuous_wavelet_transform"].features) == 5

    config = tsfel.get_features_by_domain()
    trimmed = traced.trim(traced.features)
    for window in windows(40)[3:]:
        table = tsfel.time_series_features_extractor(config, window, fs=100, verbose=0)
        theirs = dict(zip(table.columns, table.iloc[0], strict=True))
        ours = dict(zip(trimmed.features, trimmed(window), strict=True))
        assert bits(ours.values()) == bits(theirs[f"0_{name}"] for name in ours)
        assert len(theirs) == len(ours)


@pytest.mark.filterwarnings("ignore")
def test_tsfel_computes_the_fft_once(tsfel):
    config = tsfel.get_features_by_domain("spectral")
    names = ["Spectral centroid", "Spectral spread", "Max power spectrum", "Median f"]
    config = {"spectral": {n: c for n, c in config["spectral"].items() if n in names}}
    features = tsfel_features(config, fs=100)
    traced = trace_extractor(features, windows(3), inside=["tsfel"])
    code = tsfel.feature_extraction.features_utils.calc_fft.__code__
    seen = []
    sys.setprofile(lambda f, e, _: seen.append(e == "call" and f.f_code is code))
    try:
        traced.trim(traced.features)(windows(1)[0])
    finally:
        sys.setprofile(None)
    assert sum(seen) == 1


@pytest.mark.filterwarnings("ignore")
def test_tsfel_reads_one_signal_of_several(tsfel):
    config = tsfel.get_features_by_domain("statistical")
    both = [
        np.stack([a, b], axis=1)
        for a, b in zip(windows(6)[:3], windows(6)[3:], strict=True)
    ]
    features = tsfel_features(config, axis=1)
    traced = trace_extractor(features, both, inside=["tsfel"])
    table = tsfel.time_series_features_extractor(config, both[0], fs=100, verbose=0)
    ours = dict(
        zip(traced.features, traced.trim(traced.features)(both[0]), strict=True)
    )
    assert bits(ours.values()) == bits(table.iloc[0][f"1_{name}"] for name in ours)


def test_tsfel_refuses_functions_of_others(tsfel):
    entry = {"use": "yes", "function": "tsfel.absent", "parameters": ""}
    with pytest.raises(PipelineError, match=r"no function 'tsfel\.absent' for feature"):
        tsfel_features({"statistical": {"mine": entry}})


# ------------------------------------------------------------------------- tsfresh


@pytest.mark.filterwarnings("ignore")
def test_tsfresh_gives_its_own_values():
    tsfresh = pytest.importorskip("tsfresh")
    settings = {
        "mean": None,
        "abs_energy": None,
        "autocorrelation": [{"lag": 1}, {"lag": 2}],
        "agg_autocorrelation": [{"f_agg": "mean", "maxlag": 9}],
        "fft_coefficient": [{"coeff": 1, "attr": "abs"}, {"coeff": 2, "attr": "real"}],
        "partial_autocorrelation": [{"lag": 1}, {"lag": 2}],
    }
    samples = windows(3, 100)
    traced = trace_extractor(tsfresh_features(settings), samples, inside=["tsfresh"])
    long = pd.DataFrame({"id": 0, "time": range(100), "value": samples[0]})
    table = tsfresh.extract_features(
        long,
        default_fc_parameters=settings,
        column_id="id",
        column_sort="time",
        column_value="value",
        n_jobs=0,
        disable_progressbar=True,
    )
    assert sorted(traced.features) == sorted(table.columns)
    ours = dict(
        zip(traced.features, traced.trim(traced.features)(samples[0]), strict=True)
    )
    assert bits(ours.values()) == bits(table.iloc[0][name] for name in ours)


# ----------------------------------------------------------------------- pycatch22


def test_catch22_gives_its_own_values():
    pycatch22 = pytest.importorskip("pycatch22")
    traced = trace_extractor(catch22_features(catch24=True), windows(3, 200))
    trimmed = traced.trim(traced.features)
    for window in windows(1000, 200):
        theirs = pycatch22.catch22_all(window, catch24=True)
        assert list(traced.features) == theirs["names"]
        assert bits(trimmed(window)) == bits(theirs["values"])


# -------------------------------------------------------------------- scikit-learn

RNG = np.random.default_rng(3)
TABLE = RNG.normal(size=(1000, 6))
LABELS = RNG.integers(0, 2, size=1000)


def check_rows(pipeline, transformer, rows):
    table = pipeline.extract(rows)
    for ours, row in zip(table, rows, strict=True):
        frame = isinstance(row, dict)
        one = pd.DataFrame([row]) if frame else row[np.newaxis, :]
        assert bits(ours) == bits(np.asarray(transformer.transform(one))[0])


def test_steps_of_a_pipeline_are_components_and_values_are_theirs():
    union = FeatureUnion(
        [
            ("pca", PCA(3)),
            ("best", SelectKBest(k=2)),
            ("both", make_pipeline(PCA(2), PolynomialFeatures())),
            ("none", "drop"),
            ("all", "passthrough"),
        ],
        transformer_weights={"best": 3.0},
    )
    whole = Pipeline(
        [("scale", StandardScaler()), ("union", union), ("fit", LogisticRegression())]
    ).fit(TABLE, LABELS)
    pipeline = sklearn_pipeline(whole, TABLE[0])
    assert pipeline.features == tuple(whole[:-1].get_feature_names_out())
    check_rows(pipeline, whole[:-1], list(TABLE))

    graph = pipeline.hypergraph()
    by_name = {name: graph.required_components(name) for name in pipeline.features}
    scaled = graph.components.index("scale")
    assert all(needs[scaled] for needs in by_name.values())
    pca = graph.components.index("union__pca")
    behind = [name for name, needs in by_name.items() if needs[pca]]
    assert behind == ["pca__pca0", "pca__pca1", "pca__pca2"]


def test_blocks_of_columns_may_be_names_of_mixed_kinds():
    table = pd.DataFrame({"a": TABLE[:, 0], "b": TABLE[:, 1], "c": list("xyzy") * 250})
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(StandardScaler(), PCA(1)), ["a", "b"]),
            ("kinds", OneHotEncoder(), ["c"]),
            ("nothing", "drop", ["a"]),
        ],
        remainder="passthrough",
    ).fit(table)
    rows = table.head(25).to_dict("records")
    pipeline = sklearn_pipeline(columns, rows[0])
    check_rows(pipeline, columns, rows)
    assert not any("nothing" in name for name in pipeline.components)


def test_a_union_may_go_on_into_more_steps():
    parts = FeatureUnion([("pca", PCA(2)), ("best", SelectKBest(k=2))])
    whole = make_pipeline(parts, StandardScaler(), "passthrough").fit(TABLE, LABELS)
    check_rows(sklearn_pipeline(whole, TABLE[0]), whole, list(TABLE[:50]))


@pytest.mark.parametrize(
    ("made", "row", "sentence"),
    [
        (LogisticRegression(), TABLE[0], "LogisticRegression cannot transform; give"),
        (StandardScaler(), TABLE[0], "'StandardScaler' fails on the row with NotFit"),
        (StandardScaler().fit(TABLE), TABLE[0, :2], "'StandardScaler' fails on the"),
        (FeatureUnion([("no", "drop")]), TABLE[0], "FeatureUnion gives no columns"),
    ],
)
def test_what_cannot_transform_is_refused(made, row, sentence):
    with pytest.raises(PipelineError, match=sentence):
        sklearn_pipeline(made, row)


# ------------------------------------------------------------------------ Hamilton

NODES = """
import numpy as np

def spectrum(signal: np.ndarray) -> np.ndarray:
    return np.abs(np.fft.rfft(signal))

def peak(spectrum: np.ndarray) -> float:
    return float(spectrum.max())

def energy(spectrum: np.ndarray, scale: float, power: int = 2) -> float:
    return float((spectrum ** power).sum() * scale)

def mean(signal: np.ndarray) -> float:
    return float(signal.mean())

def outside(unknown: float) -> float:
    return unknown
"""


@pytest.fixture
def driver(monkeypatch):
    hamilton = pytest.importorskip("hamilton.driver")
    module = types.ModuleType("nodes_under_test")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(NODES, vars(module))
    return hamilton.Builder().with_modules(module).with_config({"scale": 0.5}).build()


@pytest.mark.filterwarnings("ignore")
def test_the_graph_of_a_driver_is_the_hypergraph(driver):
    wanted = ["energy", "peak", "mean"]
    pipeline = hamilton_pipeline(driver, wanted, ["signal"])
    graph = pipeline.hypergraph()
    assert set(pipeline.components) == {"spectrum", *wanted}
    assert graph.cost("peak") == 2
    assert graph.cost(["peak", "energy"]) == 3
    trimmed = pipeline.trim(wanted)
    for signal in windows(1000, 64):
        theirs = driver.execute(wanted, inputs={"signal": signal})
        assert bits(trimmed(signal)) == bits(theirs[n] for n in wanted)


@pytest.mark.filterwarnings("ignore")
def test_what_is_given_may_replace_a_node_or_a_default(driver):
    pipeline = hamilton_pipeline(driver, ["energy"], ["spectrum", "power"])
    assert pipeline.components == ("energy",)
    (value,) = pipeline.trim(["energy"])({"spectrum": np.ones(4), "power": 3})
    assert value == 2.0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("features", "sentence"),
    [
        (["absent"], "The driver has no node 'absent'; its nodes are"),
        (["outside"], "Node 'outside' needs 'unknown', which is neither"),
    ],
)
def test_nodes_that_cannot_be_computed_are_refused(driver, features, sentence):
    with pytest.raises(PipelineError, match=sentence):
        hamilton_pipeline(driver, features, ["signal"])


# ------------------------------------------------------------------------- missing


@pytest.mark.parametrize(
    ("module", "adapter", "extra"),
    [
        ("tsfel", tsfel_features, "tsfel"),
        ("tsfresh.feature_extraction", tsfresh_features, "tsfresh"),
        ("pycatch22", catch22_features, "catch22"),
        ("hamilton.driver", lambda: hamilton_pipeline(None, [], []), "hamilton"),
    ],
)
def test_a_library_that_is_not_there_names_its_extra(
    module, adapter, extra, monkeypatch
):
    monkeypatch.setitem(sys.modules, module, None)
    name = module.split(".")[0]
    sentence = rf"^{name} cannot be imported .*install thriftscope\[{extra}\]"
    with pytest.raises(PipelineError, match=sentence):
        adapter()


def test_tracing_of_a_library_can_be_left_at_any_time():
    steps = tracing(catch22_like(), windows(3, 100))
    next(steps)
    assert next(steps).seconds_left is not None
    steps.close()


def catch22_like():
    return {"mean": np.mean, "max": np.max}
