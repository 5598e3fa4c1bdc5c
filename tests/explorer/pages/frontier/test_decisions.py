"""What is shown of the chosen model is what the model does."""

from functools import cache

import numpy as np
import pytest
from sklearn.metrics import confusion_matrix, f1_score

from explorer.compute.traces import Trace
from explorer.pages.frontier.decisions import PARTS, DecisionPart, answer, decided
from explorer.pages.frontier.queries import TRACES
from explorer.pages.frontier.state import FrontierState
from explorer.widgets.theme import palette
from solvers import Dataset, evaluate, split_dataset
from solvers.frontier.evaluation import with_threshold
from tests.each import each
from tests.explorer.cheapest import CheapestFeaturesClassifier, make_dataset


@cache
def fitted(positive):
    split = split_dataset(make_dataset(positive=positive))
    model = CheapestFeaturesClassifier(split.dataset.hypergraph)
    point = evaluate(model.fit(split.X("train"), split.y("train")), split, name="l1")
    return point, split, with_threshold(model, point.threshold, split.dataset)


@each("positive", ["intruder", "benign"])
def test_matrices_count_what_is_exported(positive):
    point, split, exported = fitted(positive)
    found = decided(point, split)
    for part in PARTS:
        counts = found.confusion(part, point.threshold)
        called = exported.predict(split.X(part))
        wanted = confusion_matrix(split.y(part), called, labels=found.classes)
        assert counts.tolist() == wanted.tolist()
    assert found.classes[1] == split.dataset.positive


@each("positive", ["intruder", "benign"])
def test_the_effect_of_a_threshold_is_the_score_that_it_gives(positive):
    point, split, _ = fitted(positive)
    found = decided(point, split)
    curve, k = found.effect("test", "f1"), 40
    called = found.beliefs["test"] >= found.thresholds()[k]
    truth = split.y("test") == split.dataset.positive
    assert curve[k] == pytest.approx(f1_score(truth, called))


@each("positive", ["intruder", "benign"])
def test_one_row_by_hand_is_answered_as_exported(positive):
    point, split, exported = fitted(positive)
    data = split.dataset
    for row in split.X("test"):
        said = answer(point, data, row, point.threshold)
        assert said.label == exported.predict(row[np.newaxis])[0]
        assert said.cost == pytest.approx(data.hypergraph.cost(list(said.features)))
        assert len(said.components) == point.n_components


@each("positive", ["intruder", "benign"])
def test_nothing_is_drawn_before_the_part_is_opened(positive):
    point, split, _ = fitted(positive)
    state = FrontierState(dataset=split.dataset, methods=["l1"])
    state.traces = {"l1": Trace((point,), is_complete=True)}
    state.choose_point(point)
    part = DecisionPart(state=state)
    assert not part._inside.objects
    part._fold.is_open = True
    assert len(part._inside.objects) > 4
    part._fold.is_open = False
    assert not part._inside.objects


@each("positive", ["intruder", "benign"])
def test_another_theme_keeps_what_was_typed_and_moved(positive):
    point, split, _ = fitted(positive)
    state = FrontierState(dataset=split.dataset, methods=["l1"])
    state.choose_point(point)
    state.unfolded = ["inside"]
    part = DecisionPart(state=state)
    shown = part._inside.objects
    low, _ = part._mistakes.effect.ends
    part._mistakes.threshold = low
    part.dark = True
    assert part._inside.objects == shown
    assert part._mistakes.threshold == part._mistakes.effect.threshold == low
    tables = part._mistakes._tables.values()
    assert {table.colours["text"] for table in tables} == {palette(dark=True).text}
    lines = part._mistakes.effect.figure.renderers
    assert palette(dark=True).lit in {one.glyph.line_color for one in lines}


def test_of_three_classes_no_threshold_is_spoken_of():
    data = make_dataset()
    X, y = data.X, np.array(["low", "middle", "high"])[np.arange(data.n_samples) % 3]
    three = Dataset("three", X, y, data.hypergraph)
    state = FrontierState(dataset=three, methods=["static_prefix"])
    TRACES.answer(state)
    point = state.traces["static_prefix"].points[0]
    state.choose_point(point)
    part = DecisionPart(state=state)
    part._fold.is_open = True
    about = part._inside.objects[0].object
    assert "more than two classes" in about
    assert "threshold. Validation" not in about
