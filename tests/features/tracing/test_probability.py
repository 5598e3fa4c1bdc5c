"""A fitted model is a component like others, priced and bought like others."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier

from solvers import FeaturePipeline, Step
from solvers.errors import PipelineError
from solvers.features.tracing import probability_step

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = np.where(X[:, 0] > 0, "loud", "quiet")


@pytest.fixture(scope="module")
def model():
    return LogisticRegression().fit(X, Y)


def test_the_value_is_the_probability_that_the_model_gives(model):
    needs = ["a", "b", "c"]
    step = probability_step("is loud", model, needs, label="loud")
    pipeline = FeaturePipeline([step], inputs=needs)
    rows = [dict(zip(needs, row, strict=True)) for row in X[:20]]
    expected = [model.predict_proba(row[np.newaxis])[0, 0] for row in X[:20]]
    assert pipeline.extract(rows)[:, 0].tolist() == expected


def test_it_needs_what_its_columns_need_and_has_a_price_of_its_own(model):
    def ends(signal):
        return signal[:2]

    def peak(signal):
        return signal.max()

    step = probability_step("p", model, ["ends", "peak"])
    pipeline = FeaturePipeline(
        [ends, peak, step, Step("q", float, ["p"])], inputs=["signal"], features=["q"]
    )
    expected = model.predict_proba([[*X[0, :2], X[0].max()]])[0, 1]
    assert pipeline.extract(X[:1]).item() == expected
    graph = pipeline.measure(list(X), repeats=2).hypergraph
    assert graph.required_components("q").all()
    assert graph.component_costs[2] > graph.component_costs[1]


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_a_model_that_knows_names_takes_what_it_needs_by_these():
    named = LogisticRegression().fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    rows = [dict(zip("abc", row, strict=True)) for row in X[:9]]
    step = probability_step("p", named, ["c", "a", "b"])
    table = FeaturePipeline([step], inputs=["a", "b", "c"]).extract(rows)
    assert table[:, 0] == pytest.approx(named.predict_proba(X[:9])[:, 1])
    with pytest.raises(PipelineError, match="columns are 'a', 'b', 'c' and its needs"):
        probability_step("p", named, ["a", "b", "d"])


@pytest.mark.parametrize(
    ("made", "label", "sentence"),
    [
        (RidgeClassifier(), None, "RidgeClassifier gives no probabilities; give"),
        (LogisticRegression(), None, "LogisticRegression has no classes yet; fit it"),
        (None, "silent", "knows no class 'silent'; its classes are 'loud', 'quiet'"),
    ],
)
def test_models_that_give_no_probability_are_refused(model, made, label, sentence):
    with pytest.raises(PipelineError, match=sentence):
        probability_step("p", made or model, ["a"], label=label)
