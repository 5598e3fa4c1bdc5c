"""What decisions score: the threshold of least mistakes, by looking at each."""

import numpy as np
import pytest

from solvers import MistakeCosts, all_datasets, split_dataset
from solvers.decisions.decision import Decision
from solvers.decisions.scores import LABEL_SCORES, TOTAL_COST
from solvers.frontier.scoring import scored
from tests.each import each

SPLIT = split_dataset(all_datasets()["heart"]())
MISTAKES = MistakeCosts([[0.0, 40.0], [7.0, 1.0]], SPLIT.dataset.classes)
TESTS = {"validation": 3.0, "test": 5.0}
CLASSES = SPLIT.dataset.classes


def decided(seed=0, steps=6):
    """Scores of few values, so that many rows share one."""
    rng, found = np.random.default_rng(seed), {}
    for part in TESTS:
        truth = SPLIT.y(part) == SPLIT.dataset.positive
        scores = np.round((truth + rng.normal(size=len(truth))) * steps) / steps
        labels = CLASSES[(scores > 0).astype(int)]
        found[part] = Decision(labels, scores, np.ones((len(truth), 1), bool), None)
    return found


def mistakes_at(cut, decision, part):
    return MISTAKES.cost(SPLIT.y(part), CLASSES[(decision.scores >= cut).astype(int)])


@each("seed", range(3))
def test_no_threshold_makes_cheaper_mistakes_on_validation_rows(seed):
    found = decided(seed)
    cut, _, scores = scored(CLASSES, SPLIT, "tuned", found, TESTS, MISTAKES)
    seen = np.unique(found["validation"].scores)
    every = [mistakes_at(c, found["validation"], "validation") for c in [*seen, 99.0]]
    assert mistakes_at(cut, found["validation"], "validation") == min(every)
    for part, tests in TESTS.items():
        total = tests + mistakes_at(cut, found[part], part)
        assert scores[part][TOTAL_COST] == pytest.approx(-total)


def test_without_a_rule_the_models_own_labels_pay():
    found = decided()
    _, _, scores = scored(CLASSES, SPLIT, "default", found, TESTS, MISTAKES)
    paid = MISTAKES.cost(SPLIT.y("test"), found["test"].labels)
    assert scores["test"][TOTAL_COST] == pytest.approx(-5.0 - paid)


def test_where_mistakes_have_no_price_nothing_else_is_said():
    found = decided()
    _, _, scores = scored(CLASSES, SPLIT, "tuned", found, TESTS, None)
    assert TOTAL_COST not in scores["test"]
    assert set(LABEL_SCORES) <= set(scores["test"])
    equal = MistakeCosts.equal(2).for_classes(CLASSES)
    _, _, priced = scored(CLASSES, SPLIT, "tuned", found, TESTS, equal)
    # Mistakes of one price: the threshold of best accuracy.
    best = priced["validation"]["accuracy"]
    assert best >= scores["validation"]["accuracy"]
    assert priced["validation"][TOTAL_COST] == pytest.approx(-3.0 - (1.0 - best))


def test_of_three_classes_a_row_pays_for_its_cheapest_answer_or_the_models_own():
    split = split_dataset(all_datasets()["thyroid"]())
    classes, found = split.dataset.classes, {}
    for part in TESTS:
        scores = np.random.default_rng(0).normal(size=(len(split.y(part)), 3))
        labels = classes[scores.argmax(axis=1)]
        found[part] = Decision(labels, scores, np.ones((1, 1), bool), None)
    mistakes = MistakeCosts([[0, 1, 5], [9, 0, 2], [1, 1, 0]]).for_classes(classes)
    _, priced, _ = scored(classes, split, "tuned", found, TESTS, mistakes)
    assert priced is not None
    said = classes[priced.scores(found["test"].scores).argmax(axis=1)]
    for asked, by_cost, labels in (
        ("tuned", False, said),
        ("tuned", True, found["test"].labels),
        ("default", False, found["test"].labels),
    ):
        rules = split, asked, found, TESTS, mistakes
        _, _, scores = scored(classes, *rules, answers_by_cost=by_cost)
        paid = mistakes.cost(split.y("test"), labels)
        assert scores["test"][TOTAL_COST] == pytest.approx(-5.0 - paid)
