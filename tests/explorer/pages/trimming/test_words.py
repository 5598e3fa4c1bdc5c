"""The words of a trimming are what it says of every row."""

import numpy as np
import pandas as pd
import pytest

from explorer.export.plain_answer import exchange_text
from explorer.pages.trimming.queries import SEARCH, next_step
from explorer.pages.trimming.sources import SESSION, open_network
from explorer.pages.trimming.state import UNSEARCHED, TrimmingState
from explorer.pages.trimming.words import (
    BEFORE,
    TrimmingSummary,
    TrimmingText,
    summary_text,
    trimming_answer,
)
from explorer.widgets.text import percent_text
from solvers.bayes import trim
from solvers.datasets import from_frame
from tests.explorer.told_rows import told_rows


def searched(source, **more):
    state = TrimmingState(source=source, **more)
    request = state.open_request()
    state.take(next(open_network(request)), request)
    SEARCH.answer(state)
    return state


@pytest.fixture(scope="module")
def learned():
    return searched("breast_cancer")


def test_what_was_asked_before_is_told_to_be_so_once_a_search_is_stopped(learned):
    state = searched("quiz")
    summary = TrimmingSummary(state=state)
    assert BEFORE not in summary._pane.object
    summary.busy, state.budget = True, state.budget / 2
    assert BEFORE not in summary._pane.object  # it will soon be another
    summary.busy = False
    assert BEFORE in summary._pane.object
    assert "waits" in summary._pane.object
    SEARCH.answer(state)
    assert BEFORE not in summary._pane.object


def test_no_answer_about_another_network_stays():
    state = searched("quiz")
    summary = TrimmingSummary(state=state)
    state.source = "breast_cancer"
    request = state.open_request()
    state.take(next(open_network(request)), request)
    assert state.log is None
    assert UNSEARCHED in summary._pane.object


def answer(state, following=None):
    log = state.log
    table = log.tables.get(log.best.features)
    opened = state.opened
    return trimming_answer(log.question, log.best, table, opened.learned, following)


def test_every_test_row_is_in_one_line_and_counted_right(learned):
    log, rows = learned.log, learned.opened.learned
    said = " ".join(answer(learned).steps)
    trimmed = log.question.original.trimmed(list(log.best.features), log.best.threshold)
    names = rows.classifier.features
    states = trimmed.network.states
    instances = [
        {f: states[f][codes[names.index(f)]] for f in log.best.features}
        for codes in rows.test_codes
    ]
    right = int((trimmed.decide(trimmed.codes(instances)) == rows.test_labels).sum())
    assert told_rows(said) == (len(rows.test_labels), right)


def test_what_agrees_and_what_is_right_are_told_apart(learned):
    log, rows = learned.log, learned.opened.learned
    agreed = percent_text(log.best.agreement)
    trimmed = log.question.classifier()
    said = trimmed.decide(rows.test_codes, list(log.best.features), log.best.threshold)
    right = percent_text((said == rows.test_labels).mean())
    assert right != agreed
    summary = summary_text(learned)
    assert f"same decision in {agreed} of cases; no other pair does better" in summary
    assert f"Of the test rows {right} are then right" in summary


def test_bounds_of_learned_columns_are_said_in_words(learned):
    said = answer(learned).text()
    assert "is above 14.9" in said
    assert "is at most 14.9" in said
    assert not {*"<>="} & {*said}


def test_the_quiz_says_what_its_table_of_instances_says():
    state = searched("quiz")
    said = answer(state)
    assert said.opening[0].startswith("Of 3 features, which cost 3 together, 2 decide")
    assert said.steps[0] == "Look at Q1 (1) and Q2 (1)."
    assert said.steps[1].startswith("Say + where Q1 is ")
    assert (
        said.steps[2].startswith("Say \u2212 where ") or "Say - where" in said.steps[2]
    )


def test_the_next_step_up_is_what_one_feature_more_brings(learned):
    question, best = learned.log.question, learned.log.best
    (found,) = next_step(question, best)
    again = trim(question.classifier(), question.budget + 1)
    assert found.agreement == again.agreement > best.agreement
    last = answer(learned, found).closing[-1]
    assert f"{100 * found.agreement:.1f} % of cases" in last
    exchanged = exchange_text(best.features, found.features)
    assert last.startswith(f"Not bought: for 1 more (3), {exchanged}, ")


def test_whoever_has_bought_everything_is_told_so():
    state = searched("quiz")
    state.budget = 3.0
    SEARCH.answer(state)
    assert list(next_step(state.log.question, state.log.best)) == []
    assert "nothing left to buy" in answer(state).closing[-1]


def test_what_follows_another_question_is_not_said(learned):
    view = TrimmingText(state=learned)
    (found,) = next_step(learned.log.question, learned.log.best)
    learned.following = (object(), found)
    assert "has not been searched" in view.view.answer.closing[-1]
    learned.following = (learned.log, found)
    assert "Not bought: for" in view.view.answer.closing[-1]


def test_a_category_is_one_feature_and_its_values_are_states():
    rng = np.random.default_rng(0)
    ill = rng.random(300) < 0.5
    pain = np.where(rng.random(300) < 0.7, np.where(ill, "sharp", "none"), "dull")
    rows = pd.DataFrame({"age": rng.normal(50 + 6 * ill, 9), "pain": pain})
    rows["ill"] = np.where(ill, "y", "n")
    data = from_frame(rows, "ill", costs={"age": 1.0, "pain": 3.0}, positive="y")
    state = searched(SESSION, dataset=data, budget=4.0)
    assert state.log.best.features == ("age", "pain")
    assert state.network().states["pain"] == ("dull", "none", "sharp")
    said = answer(state)
    assert said.opening[0].startswith("Of 2 features, which cost 4.00 ")
    assert "Alone" not in said.opening[0]
    assert said.steps[0].startswith("Look at age (1.00 ")
    assert said.steps[0].count("pain (3.00 ") == 1
    assert "and pain is sharp" in said.text()
    assert "pain=" not in said.text()


def test_who_looks_at_nothing_is_told_to_decide_alike_and_not_that_nobody_does():
    said = summary_text(searched("quiz", budget=0.0))
    assert said.startswith("Who looks at none of 3 features reaches the same decision")
