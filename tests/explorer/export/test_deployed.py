"""A chosen point leaves with its features' functions, or says why without them."""

from dataclasses import replace

import pytest
from scipy import sparse

from explorer.export.deployed import fingerprint, point_files
from explorer.session.state import bundled
from solvers import FeaturePipeline, Step, all_methods, evaluate, split_dataset
from tests.each import each


@pytest.fixture(scope="module")
def point():
    split = split_dataset(bundled("published"), 0)
    model = all_methods()["csdt"](split.dataset.hypergraph, error_cost=300.0)
    model.fit(split.X("train")[:1000], split.y("train")[:1000])
    return evaluate(model, split, name="csdt"), split


def test_the_file_decides_about_raw_samples(point):
    found, split = point
    space = {"__name__": "policy"}
    exec(point_files(found, split, "python")["policy.py"], space)
    data = split.dataset
    samples = data.samples[:20]
    rows = data.pipeline.extract(samples)
    for sample, row in zip(samples, rows, strict=True):
        by_name = dict(zip(data.feature_names, row.tolist(), strict=True))
        assert space["decide_raw"](sample)[:2] == space["decide"](by_name)[:2]


def test_where_functions_cannot_be_taken_the_model_leaves_and_says_so(point):
    found, split = point
    names = split.dataset.feature_names
    lambdas = FeaturePipeline(
        [Step(name, lambda signal: signal[0], ["signal"]) for name in names],
        inputs=["signal"],
    )
    other = replace(split, dataset=replace(split.dataset, pipeline=lambdas))
    text = point_files(found, other, "python")["policy.py"]
    space = {"__name__": "policy"}
    exec(text, space)
    assert "decide_raw" not in space
    assert "decide_raw is not here: The feature function" in space["__doc__"]


@each("stored", [lambda X: X.copy(), sparse.csr_array])
def test_the_fingerprint_is_that_of_the_rows_however_they_are_stored(stored):
    data = bundled("signals")
    one, again = (replace(data, X=stored(data.X)) for _ in range(2))
    assert fingerprint(one) == fingerprint(again)
    changed = data.X.copy()
    changed[3, 2] += 1e-9
    assert fingerprint(replace(data, X=stored(changed))) != fingerprint(one)
