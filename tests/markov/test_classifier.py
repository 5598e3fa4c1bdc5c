"""What is no graph to learn from, or no weights, is refused with a sentence."""

import numpy as np
import pytest

from solvers.errors import DataError, KnobError, ThriftscopeError
from solvers.markov import (
    ConstantLabelClassifier,
    CostSensitiveMarkovNetwork,
    MarkovNetworkClassifier,
    NodeLogisticClassifier,
)
from tests.markov.golden import golden_model


def test_labels_of_the_test_graph_are_not_looked_at(grown):
    hidden = grown[2].with_labels(None)
    for kind in (
        NodeLogisticClassifier,
        MarkovNetworkClassifier,
        CostSensitiveMarkovNetwork,
    ):
        model = kind().fit(grown[:2])
        assert np.array_equal(model.predict(hidden), model.predict(grown[2]))


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (MarkovNetworkClassifier(alpha=-1.0), "alpha is -1; it is 0 or more"),
        (MarkovNetworkClassifier("hot"), "training is 'hot'; it is one of 'cold'"),
        (MarkovNetworkClassifier(tolerance=0.0), "tolerance is 0; it is between"),
        (CostSensitiveMarkovNetwork(inference="hot"), "inference is 'hot'"),
        (CostSensitiveMarkovNetwork(max_steps=0), "max_steps is 0; it is 1 or more"),
        (CostSensitiveMarkovNetwork(max_steps=1.5), "give a whole number"),
        (CostSensitiveMarkovNetwork(loss_floor=np.nan), "loss_floor is nan"),
        (NodeLogisticClassifier(alpha="much"), "alpha is 'much'; give a number"),
        (ConstantLabelClassifier(-1), "label is -1; it is 0 or more"),
    ],
)
def test_bad_parameters_are_refused_in_fit(grown, model, sentence):
    with pytest.raises(KnobError, match=sentence):
        model.fit(grown)


def test_one_label_cannot_be_learned_from(grown):
    single = grown[0].with_labels(np.ones(120, int))
    with pytest.raises(DataError, match="Every node is labelled 1"):
        CostSensitiveMarkovNetwork().fit([single])


def test_unlabelled_graphs_cannot_be_learned_from(grown):
    with pytest.raises(DataError, match="has no labels"):
        CostSensitiveMarkovNetwork().fit([grown[0], grown[1].with_labels(None)])


def test_something_else_is_no_graph():
    with pytest.raises(DataError, match="is not a CostGraph"):
        CostSensitiveMarkovNetwork().fit([np.ones(3)])


def test_weights_come_before_predictions(golden):
    with pytest.raises(ThriftscopeError, match="has no weights yet; call fit"):
        CostSensitiveMarkovNetwork().predict(golden)
    with pytest.raises(ThriftscopeError, match="has no weights yet; call fit"):
        CostSensitiveMarkovNetwork().trace(golden)


def test_a_graph_of_another_kind_is_refused(golden, grown):
    model = golden_model(CostSensitiveMarkovNetwork)
    with pytest.raises(DataError, match="9 attributes and 2 labels, but the weights"):
        model.predict(grown[0])


@pytest.mark.parametrize(
    ("nodes", "edges", "sentence"),
    [
        ([1.0, 2.0], None, r"node weights have shape \(2,\); give \(D, L\)"),
        ([[1.0, 2.0]], [[1.0]], r"edge weights have shape \(1, 1\); give \(2, 2\)"),
        ([[np.inf, 2.0]], None, "The node weights hold inf"),
    ],
)
def test_bad_weights_are_refused_with_a_sentence(nodes, edges, sentence):
    with pytest.raises(DataError, match=sentence):
        MarkovNetworkClassifier.from_weights(nodes, edges)
