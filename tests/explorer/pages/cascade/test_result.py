"""On a table of words, gaps and dates the page names its columns, each paid once."""

import re
from html import unescape

import numpy as np
import pytest

from explorer.pages.cascade.queries import QUERIES, THRESHOLD
from explorer.pages.cascade.stages import RowBill
from explorer.pages.cascade.state import METHODS, CascadeState
from explorer.pages.cascade.take_away import cascade_estimator
from explorer.pages.cascade.text import cascade_answer, policy_answer
from explorer.pages.cascade.training import train_cascade
from explorer.session.state import bundled
from solvers.deploy import itemised, policy_from, to_python
from tests.each import each
from tests.explorer.worlds import words_gaps_and_dates


@pytest.fixture(scope="module", params=[2, 3], ids=["two classes", "three classes"])
def state(request):
    table = words_gaps_and_dates(request.param)
    found = CascadeState(
        source="session", session_dataset=table, order="value", budget=0.6
    )
    for query in QUERIES.values():
        query.answer(found)
    return found


@each("method", METHODS)
def test_every_bill_lists_columns_of_the_table_once_and_agrees_with_the_way(
    state, method
):
    data, result = state.session_dataset, state.result(method)
    policy, costs = policy_from(cascade_estimator(result)), set()
    for row in range(result.n_rows):
        journey = result.journey(row)
        lines = itemised(policy, data.X[result.split.rows["test"][row]]).lines
        names = [line.feature for line in lines]
        assert len(set(names)) == len(names)
        assert set(names) <= set(data.feature_names)
        paid = sum(line.cost for line in lines)
        assert paid == pytest.approx(journey.cost)
        assert paid == pytest.approx(data.hypergraph.cost(names))
        drawn = result.drawn_journey(row, 100)
        told = ", ".join(cells[-1] for cells in drawn.table)
        assert set(re.findall(r"(\w+) = ", told)) == set(names)
        assert f"with {len(names)} of 4 features" in drawn.sentence
        costs.add(round(paid, 6))
    assert len(costs) > 1


@each("method", METHODS)
def test_the_bill_that_is_shown_counts_columns_of_the_table(state, method):
    state.param.update(way=method, row=0)
    bill = RowBill(state=state, method=method)
    shown = re.findall(r"<tr><td>(.*?)</td>", bill._table.object)
    count = re.search(r"(\d+) features? bought", bill._text.object)
    assert int(count[1]) == len(shown)
    named = {unescape(name) for name in shown}
    assert named <= set(state.session_dataset.feature_names)


def test_a_bill_says_that_its_scores_are_calibrated(state):
    """They differed from the u of the stage beside them, and nothing said why."""
    result, is_binary = state.policy_result(), len(state.session_dataset.classes) == 2
    assert ("calibrated" in result.score_note) == is_binary
    policy, model = policy_from(cascade_estimator(result)), state.hyper.at(state.policy)
    for row in range(10 if is_binary else 0):
        values = result.dataset.X[result.split.rows["test"][row]]
        *_, line = itemised(policy, values).lines
        told = model.decision_function(result.split.X("test")[[row]])
        assert line.score == pytest.approx(told[0])


def test_the_way_of_a_row_that_leaves_at_once_is_drawn():
    """The least threshold sends all away before anything has a score."""
    state = CascadeState(session_dataset=bundled("published"), share=0.0)
    QUERIES["tefe"].answer(state)
    result = state.threshold_result()
    assert result.threshold == -np.inf
    (stop,) = result.journey(0).stops
    assert not np.isfinite(stop.confidence)
    low, high = result.drawn_journey(0, 1).score_range
    assert (low, high) == (0.0, 1.0)


@each("method", METHODS)
def test_what_is_taken_away_decides_rows_as_the_table_has_them(state, method):
    result, data = state.result(method), state.session_dataset
    space = {"__name__": "policy"}
    exec(to_python(cascade_estimator(result)), space)
    for row in range(result.n_rows):
        journey = result.journey(row)
        values = data.X[result.split.rows["test"][row]]
        sample = {
            name: result.columns.value(j, values[j])
            for j, name in enumerate(data.feature_names)
        }
        given = {k: None if v == "not known" else v for k, v in sample.items()}
        numbers = {n: values[data.feature_names.index(n)] for n in ("late", "age")}
        said = space["decide"]({**given, **numbers})
        assert said.label == journey.label
        assert said.cost == pytest.approx(journey.cost)


@each("method", METHODS)
def test_stages_are_named_by_columns_of_the_table(state, method):
    told = str(state.result(method).stage_table())
    assert "=" not in told
    assert "is missing" not in told


def test_the_words_name_values_of_a_category_and_price_a_column_once(state):
    said = [
        cascade_answer(state.threshold_result()).text(),
        policy_answer(state.policy_result()).text(),
    ]
    for text in said:
        assert "pain=" not in text
        assert "late is missing (" not in text
    if len(state.session_dataset.classes) == 2:  # sums of more are no words
        assert "if pain is none" in said[0]


def test_another_training_of_the_table_keeps_the_row_that_is_followed(state):
    """The encoded table was another one with each training."""
    again = CascadeState(source="session", session_dataset=state.session_dataset)
    for weight in (1.0, 2.0):
        again.C = weight
        *_, trained = train_cascade(THRESHOLD.asks(again))
        again.take(trained)
        assert again.row in (None, 3)
        again.row = 3
    assert again.row == 3
    assert np.isfinite(again.threshold_result().cost)


def test_features_are_named_in_the_order_in_which_they_are_computed(state):
    result = state.policy_result()
    assert result.bought([result.split.hypergraph.features[::-1]]) == [[3, 2, 1, 0]]
