"""The cascade's words are what its stages do with the test rows."""

import re

import numpy as np
import pytest

from explorer.pages.cascade.curves import line_text
from explorer.pages.cascade.result import sampled_text
from explorer.pages.cascade.tefe_result import CascadePicture
from explorer.pages.cascade.text import cascade_answer, order_text
from explorer.pages.cascade.training import (
    TrainingRequest,
    missing_for_a_run,
    train_cascade,
)
from explorer.widgets.text import cost_text
from solvers.datasets.splits import Split
from solvers.papers.cascades import Linearity
from tests.each import each


@pytest.fixture(scope="module")
def cascade():
    *_, found = train_cascade(
        TrainingRequest("breast_cancer", None, 1.0, "alone", False)
    )
    return found


@each("share", [0.0, 0.4, 1.0])
def test_who_follows_the_words_on_columns_as_they_are_leaves_with_the_rows(
    cascade, share
):
    result = CascadePicture(cascade, "distance", 1.0).at(share)
    procedure = result.model.procedure().in_columns(cascade.centre, cascade.width)
    ends = procedure.follow(cascade.split.X("test"))
    assert np.array_equal(ends.labels, result.model.predict(cascade.scaled("test")))
    left = np.bincount(ends.step, minlength=len(result.costs))
    assert np.array_equal(left, result.right + result.wrong)


def test_the_words_say_what_all_stages_would_bring(cascade):
    result = CascadePicture(cascade, "distance", 1.0).at(0.4)
    said = cascade_answer(result)
    assert said.opening[0] == result.summary()
    right = [float(share) for share in re.findall(r"([\d.]+) %", said.closing[0])]
    if said.closing[0].startswith("Not bought: for "):
        assert right[0] > right[1]
    else:  # what is no better is not called a gain
        assert "no more than now" in said.closing[0]
        assert right[0] <= 100 * result.accuracy + 0.05
    assert "go on with step 2" in said.steps[0]


def test_who_learns_from_some_of_the_rows_says_so(cascade):
    everything = CascadePicture(cascade, "distance", 1.0).at(0.4)
    assert "Learned from" not in everything.summary()
    rows = {part: found[:50] for part, found in cascade.split.rows.items()}
    said = sampled_text(Split(cascade.dataset, rows))
    assert said == " Learned from 50 rows and tested on 50, of 569 in all."


def test_a_run_says_what_it_needs_before_it_is_asked_for(cascade):
    source = cascade.request.source
    assert missing_for_a_run(cascade, source).endswith("choose scenes.")
    for trained, asked in ((None, source), (cascade, "scenes")):
        assert missing_for_a_run(trained, asked).endswith("trained, then run it.")


def test_an_order_says_what_it_opens_for_less_than_the_published_one(cascade):
    assert order_text(cascade) == ""
    *_, amortised = train_cascade(
        TrainingRequest("breast_cancer", None, 1.0, "amortised", False)
    )
    # By own cost, whatever the order in which the stages came
    assert np.allclose(amortised.costs_as_published, cascade.model.stage_costs_)
    gap = cascade.model.stage_costs_ - amortised.model.stage_costs_
    stage = int(np.argmax(np.abs(gap)))
    mine = cost_text(amortised.model.stage_costs_[stage], "ms")
    theirs = cost_text(cascade.model.stage_costs_[stage], "ms")
    assert order_text(amortised) == (
        f" Ordered by amortised cost, the first {stage + 1} stages cost {mine}; by own "
        f"cost, as published, {theirs}."
    )


def test_a_line_that_explains_nothing_is_not_said_to_explain_0_percent():
    close = line_text(Linearity(1.0, 2.0, 3.0, 0.95, 0.08))
    assert "explains 95.0 % of the variation" in close
    assert "misses by up to 8.00 % of the full cost" in close
    far = line_text(Linearity(-90.0, 40.0, 2.66, -38.2, 3.12))
    assert "is further off than a constant would be (R² -38.2)" in far
    assert "misses by up to 3.12 times the full cost" in far
