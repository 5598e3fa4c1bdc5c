"""A cascade on a data set is what its parts give one by one."""

import numpy as np
import pytest

from solvers import ThriftscopeError, split_dataset
from solvers.datasets import make_breast_cancer, make_heart
from solvers.methods.hypergraph_cascade import HypergraphCascadeClassifier
from solvers.methods.tefe import TEFEClassifier
from solvers.papers.cascades import budget_cascade, threshold_cascade
from tests.each import each
from tests.fuzz.refusal import is_one_sentence


@pytest.fixture(scope="module")
def split():
    return split_dataset(make_breast_cancer())


def test_a_threshold_cascade_predicts_and_charges_as_its_classifier(split):
    found = threshold_cascade(make_breast_cancer(), quantile=0.4, C=10.0, cap=0.8)
    train = split.X("train")
    centre, width = train.mean(axis=0), train.std(axis=0)
    model = TEFEClassifier(split.hypergraph, C=10.0, threshold=found.threshold)
    model.fit((train - centre) / width, split.y("train"))
    model.set_params(time_cap=0.8 * float(model.stage_costs_[-1]))
    test = (split.X("test") - centre) / width
    assert found.cost == pytest.approx(model.prediction_cost(test).mean())
    assert found.accuracy == pytest.approx(
        (model.predict(test) == split.y("test")).mean()
    )
    assert found.leaving.sum() == len(test)
    first = f"stage 1: {found.rows.stage_costs[0]:.6g} ms, {found.leaving[0]} rows"
    assert first in str(found)


@each(("quantile", "at"), [(0.0, -np.inf), (1.0, np.inf)])
def test_the_ends_of_the_threshold_pass_nothing_or_everything(quantile, at):
    found = threshold_cascade(make_breast_cancer(), quantile=quantile)
    assert found.threshold == at
    assert (found.exits == (0 if quantile == 0 else found.rows.n_stages - 1)).all()


def test_a_budget_cascade_is_the_classifier_at_the_budget(split):
    found = budget_cascade(make_breast_cancer(), share=0.2, order="forward")
    asked = {"order": "forward", "model": "logistic", "objective": "accuracy"}
    model = HypergraphCascadeClassifier(split.hypergraph, routing=None, **asked)
    model.fit(split.X("train"), split.y("train"))
    at = model.at_budget(0.2 * split.hypergraph.total_cost)
    assert found.cost == at.prediction_cost(split.X("test")).mean()
    assert found.accuracy == (at.predict(split.X("test")) == split.y("test")).mean()
    lines = str(found).splitlines()
    assert f"{found.cost:.6g} ms a test row on average" in lines[0]
    assert len(lines) == 1 + len(at.stage_table())


def test_no_more_rows_are_taken_than_asked_for():
    found = threshold_cascade(make_heart(), max_rows=40)
    assert found.rows.n_rows == 40


@each(
    ("run", "options", "sentence"),
    [
        (threshold_cascade, {"quantile": 1.5}, "quantile"),
        (threshold_cascade, {"cap": -0.5}, "cap"),
        (threshold_cascade, {"max_rows": 0}, "max_rows"),
        (threshold_cascade, {"order": "gone"}, "gone"),
        (budget_cascade, {"share": 2.0}, "share"),
        (budget_cascade, {"model": "gone"}, "gone"),
    ],
)
def test_bad_requests_are_refused_with_a_sentence(run, options, sentence):
    with pytest.raises(ThriftscopeError, match=sentence) as refused:
        run(make_heart(), **options)
    assert is_one_sentence(str(refused.value))
