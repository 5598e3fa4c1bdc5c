"""What is said of a model is what it does, and leaves nothing out."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from explorer.export.plain_answer import (
    answer_of_point,
    beyond_budget,
    exchange_text,
    words_of,
)
from solvers import (
    Dataset,
    FeatureHypergraph,
    Frontier,
    all_methods,
    evaluate,
    split_dataset,
    trace_frontier,
)
from solvers.datasets import make_breast_cancer, make_heart
from solvers.decisions.procedure import Boundary, Procedure, Say, step
from solvers.methods.random_forest import RandomForestClassifier
from tests.each import each


@pytest.fixture(scope="module")
def split():
    return split_dataset(make_breast_cancer())


@pytest.fixture(scope="module")
def points(split):
    return list(trace_frontier("l1", split.dataset))


@pytest.fixture
def clinic():
    """Two tests that share the visit."""
    hypergraph = FeatureHypergraph(
        [[1, 1], [1, 0], [0, 1]],
        [2.0, 1.0, 4.0],
        ("ECG", "treadmill"),
        ("visit", "ecg", "run"),
        unit="CAD",
    )
    X = np.array([[0.0, 0.0], [0.0, 9.0], [2.0, 0.0], [2.0, 9.0]])
    return Dataset("clinic", X, np.array(["well", "ill", "well", "well"]), hypergraph)


@pytest.fixture
def two_tests():
    ecg = step([0], {0: 1.0}, 0.0, [Boundary(1.0, inclusive=True)], [1, Say("well")])
    run = step(
        [1], {1: 1.0}, 0.0, [Boundary(5.0, inclusive=False)], [Say("well"), Say("ill")]
    )
    return Procedure((ecg, run))


def test_two_tests_are_one_sentence_that_can_be_said_aloud(clinic, two_tests):
    said = words_of(two_tests, clinic.X, clinic.y, clinic)
    assert said.opening == (
        "In one breath: compute ECG; if 1 or more, say well; else compute treadmill; "
        "if above 5, say ill; else say well.",
    )


def test_a_step_says_what_is_left_to_pay_and_what_became_of_the_rows(clinic, two_tests):
    said = words_of(two_tests, clinic.X, clinic.y, clinic)
    assert said.steps == (
        "Compute ECG (3.00 CAD). ECG below 1: go on with step 2; 1 or more: say well "
        "(2 test rows, 2 of them right).",
        "Compute treadmill (6.00 CAD), of which 4.00 CAD is left to pay. treadmill 5 "
        "or less: say well (1 test row, right); above 5: say ill (1 test row, right).",
    )


def test_what_no_number_reaches_is_not_said(clinic):
    ends = [Boundary(-np.inf, inclusive=False), Boundary(np.inf, inclusive=True)]
    ways = [Say("well"), 1, Say("ill")]
    never = step([0], {0: 1.0}, 0.5, ends, ways)
    half = step(
        [1], {1: 1.0}, 0.0, [ends[0], Boundary(5.0, True)], ways[:1] + ways[::2]
    )
    said = words_of(Procedure((never, half)), clinic.X, clinic.y, clinic)
    assert said.steps == (
        "Compute ECG (3.00 CAD). Whatever comes out, go on with step 2.",
        "Compute treadmill (6.00 CAD), of which 4.00 CAD is left to pay. treadmill "
        "below 5: say well (2 test rows, 2 of them right); 5 or more: say ill (2 test "
        "rows, 1 of them right).",
    )


def test_a_step_that_no_row_reaches_says_so_once(clinic, two_tests):
    said = words_of(two_tests, clinic.X[2:], clinic.y[2:], clinic)
    assert said.steps[1] == (
        "No test row comes here. Compute treadmill (6.00 CAD), of which 4.00 CAD is "
        "left to pay. treadmill 5 or less: say well; above 5: say ill."
    )


def test_of_a_long_tree_the_commonest_ends_can_be_said_aloud(clinic):
    def below(cut, low, high):
        return step([], {1: 1.0}, 0.0, [Boundary(cut, inclusive=True)], [low, high])

    well, ill = Say("well"), Say("ill")
    ecg = step([0, 1], {0: 1.0}, 0.0, [Boundary(1.0, inclusive=True)], [1, well])
    further = [below(float(8 - i), ill, i + 2) for i in range(3)]
    tree = Procedure((ecg, *further, below(5.0, well, ill)))
    said = words_of(tree, clinic.X, clinic.y, clinic)
    assert said.opening == (
        "In one breath, for 3 of 4 test rows: if ECG is 1 or more, say well (2); if "
        "ECG is below 1 and treadmill is below 8, say ill (1). The others take the "
        "steps.",
    )
    assert words_of(tree, clinic.X[:0], clinic.y[:0], clinic).opening == ()


def test_classes_are_said_by_their_names():
    split = split_dataset(make_heart())
    frontier = Frontier(trace_frontier("csdt", split.dataset))
    said = answer_of_point(frontier.best_within(50.0), split)
    assert said.opening[1].startswith("In one breath, for 50 of 76 test rows: if cp is")
    assert "sex is male, say ill (24)" in said.opening[1]
    assert "say healthy" in said.text()
    assert "F1 0.816 for ill" in said.text()


def test_a_sum_names_every_feature_with_sign_and_weight(points, split):
    point = points[len(points) // 2]
    text = answer_of_point(point, split).text()
    model = point.model
    for j in np.flatnonzero(model.support_):
        weight = model.coef_[0, j]
        name = split.dataset.feature_names[j]
        assert f"{abs(weight):.6g} × {name}" in text
        assert f"- {abs(weight):.6g} × {name}" in text or weight > 0
    assert f"{model.intercept_[0]:.6g}" in text


def test_what_rounding_left_of_a_zero_is_no_term(clinic):
    ends = [Say("well"), Say("ill")]
    cut = [Boundary(1.0, inclusive=True)]
    both = step([0, 1], {0: 1.5, 1: 6e-16}, 0.25, cut, ends)
    said = words_of(Procedure((both,)), clinic.X, clinic.y, clinic)
    assert "Add up 0.25 + 1.5 × ECG." in said.steps[0]


def test_a_weight_is_said_though_no_test_row_holds_more_than_zero(clinic):
    cut, ends = [Boundary(1.0, inclusive=True)], [Say("well"), Say("ill")]
    both = Procedure((step([0, 1], {0: 1.5, 1: 2.0}, 0.25, cut, ends),))
    resting = clinic.X[:, 1] == 0
    said = words_of(both, clinic.X[resting], clinic.y[resting], clinic)
    assert "Add up 0.25 + 2 × treadmill + 1.5 × ECG." in said.steps[0]


def test_the_rows_that_the_words_count_are_all_test_rows(points, split):
    said = answer_of_point(points[3], split).text()
    assert f"of {len(split.y('test'))} test rows" in said
    accuracy = points[3].scores["test"]["accuracy"]
    assert f"right on {100 * accuracy:.1f} %" in said


def test_a_vote_on_nothing_asks_for_nothing(split):
    data = split.dataset
    model = RandomForestClassifier(data.hypergraph, n_estimators=5)
    point = evaluate(model.fit(split.X("train"), split.y("train")), split)
    nothing = replace(point, features=np.zeros_like(point.features))
    assert answer_of_point(nothing, split).steps == (
        "Compute nothing: the model says the same of each row.",
    )


def test_a_vote_that_has_no_words_is_handed_over_by_name(split):
    data = split.dataset
    model = RandomForestClassifier(data.hypergraph, n_estimators=5)
    point = evaluate(model.fit(split.X("train"), split.y("train")), split)
    said = answer_of_point(point, split)
    assert len(said.steps) == 2
    assert "Let the model decide" in said.steps[1]
    assert all(
        data.feature_names[j] in said.steps[0] for j in np.flatnonzero(point.features)
    )


def test_the_next_step_up_is_the_cheapest_that_is_better_on_validation(points, split):
    frontier = Frontier(points)
    cheap = frontier.undominated().points[0]
    better = frontier.undominated().points[1]
    budget = frontier.held(cheap)
    said = beyond_budget(frontier, budget, cheap, split.dataset)
    names = np.array(split.dataset.feature_names)
    bought, taken = (names[one.features].tolist() for one in (cheap, better))
    assert said.endswith(f", {exchange_text(bought, taken)}.")
    assert f"F1 {better.scores['test']['f1']:.3f} on test rows" in said
    best = frontier.best_within(np.inf)
    assert beyond_budget(frontier, np.inf, best, split.dataset) == (
        "No costlier model that was tried is better on validation rows."
    )


@each(
    ("before", "after", "said"),
    [
        ("ab", "abcd", "with c and d as well"),
        ("ab", "bcd", "with c and d instead of a"),
        ("ab", "b", "without a"),
        ("ab", "ab", "with the same features"),
    ],
)
def test_what_the_next_model_drops_is_said(before, after, said):
    assert exchange_text(list(before), list(after)) == said


def test_a_model_that_computes_nothing_says_so(points, split):
    none = next(point for point in points if not point.features.any())
    said = answer_of_point(replace(none, threshold=-1e9), split)
    assert said.opening == ("L1 computes nothing and pays nothing.",)
    assert said.steps == ("Compute nothing: always say malignant.",)


@each("method", ["acafh", "csdt"])
def test_what_is_computed_is_named_by_the_tables_own_columns(method):
    split = split_dataset(make_heart())
    names = split.dataset.feature_names
    for point in islice(trace_frontier(all_methods()[method](), split.dataset), 6):
        said = "\n".join(answer_of_point(point, split).steps)
        computed = {name for name in names if f" {name} (" in said}
        assert computed == {names[j] for j in np.flatnonzero(point.features)}
        assert "=" not in said  # "cp is asymptomatic", not "cp=asymptomatic"
