"""What is asked of a cascade decides what is trained, kept and shown."""

import re

import numpy as np
import pytest
from bokeh.events import Tap

from explorer.pages.cascade.curves import (
    CascadeLine,
    CascadeTradeoff,
    cheaper_text,
)
from explorer.pages.cascade.queries import RIVALS, THRESHOLD
from explorer.pages.cascade.stages import CascadeJourney, CascadeStages
from explorer.pages.cascade.state import CascadeState
from explorer.pages.cascade.text import (
    CascadeStageTable,
    CascadeSummary,
    summary_text,
    verdict_text,
)
from explorer.widgets.text import percent_text
from tests.each import each
from tests.explorer.pages.cascade.asked import train


def test_a_knob_that_is_turned_back_trains_nothing(state, trained):
    state.C = 10.0
    assert THRESHOLD.missing(state)
    state.C = 1.0
    assert not THRESHOLD.missing(state)
    assert state.cascade is trained


@each("kind", ["raw", "gap"])
def test_confidences_of_the_same_machines_need_no_training(state, kind):
    state.confidence = kind
    assert not THRESHOLD.missing(state)
    assert state.picture.kind == kind


def test_calibration_trains_and_the_old_picture_stays_until_then(state):
    before = state.picture
    state.confidence = "calibrated"
    assert THRESHOLD.asks(state).is_calibrated
    assert state.picture is before
    train(state)
    assert state.picture.kind == "calibrated"
    state.confidence = "distance"
    assert not THRESHOLD.missing(state)


def test_order_and_c_are_those_that_are_trained():
    state = train(CascadeState(order="value", C=0.1))
    assert (state.cascade.model.order, state.cascade.model.C) == ("value", 0.1)


def test_what_leaves_and_what_goes_on_are_all_rows(state):
    for share in (0.0, 0.3, 0.9, 1.0):
        state.share = share
        outcome = state.threshold_result()
        left = np.cumsum(outcome.right + outcome.wrong)
        assert np.array_equal(left + outcome.on, np.full(30, 143))


def test_the_outcome_is_what_the_cascade_does(state, trained):
    state.share = 0.6
    outcome = state.threshold_result()
    model = state.picture.model(outcome.threshold)
    X, y = trained.scaled("test"), trained.split.y("test")
    assert outcome.cost == pytest.approx(model.prediction_cost(X).mean())
    assert outcome.accuracy == pytest.approx(model.score(X, y))


def test_the_ends_of_the_slider_are_the_first_and_the_last_stage(state):
    state.share = 0.0
    assert state.threshold_result().cost == pytest.approx(
        state.picture.test.stage_costs[0]
    )
    state.share = 1.0
    assert state.threshold_result().cost == pytest.approx(
        state.picture.test.stage_costs[-1]
    )


def test_a_higher_quantile_is_a_higher_threshold(state):
    thresholds = [state.picture.threshold(share) for share in np.linspace(0, 1, 21)]
    assert thresholds == sorted(thresholds)


def test_a_time_cap_is_kept_by_every_row(state):
    state.param.update(cap=0.3, share=1.0)
    assert state.threshold_result().cost <= 0.3 * state.cascade.full_cost * (1 + 1e-9)
    assert not THRESHOLD.missing(state)


def test_no_cap_is_too_low_for_the_first_stage(state):
    state.cap = 0.0
    assert state.picture.test.n_stages == 1
    assert len(state.journey("tefe").stops) == 1


def test_the_summary_names_threshold_cost_and_yardsticks(state):
    text = summary_text(state)
    assert "Rows leave at a confidence of" in text
    assert "test rows right" in text
    assert re.search(r"(Better for|For) no more money: the first ", text)
    assert summary_text(CascadeState()) == "Training the first cascade."


def test_the_verdict_lists_every_budget_once(state):
    rows = state.picture.against_prefix
    text = verdict_text(rows).split(". Threshold")[0]
    assert all(f"{100 * row.share:.0f}" in text for row in rows)


def test_the_journey_is_the_row_s_own_way(state, trained):
    exits = state.picture.test.exits(state.threshold_result().threshold)
    for row in (0, 5, 17):
        state.row = row
        journey = state.journey("tefe")
        assert journey.stage == exits[row]
        assert journey.stops[-1].leaves


def test_the_page_opens_on_a_row_that_leaves_early_and_right(state):
    row = state.followed("tefe")
    result = state.threshold_result()
    journey = state.journey("tefe")
    assert 1 < len(journey.stops) <= result.picture.test.n_stages // 4
    assert journey.label == result.split.y("test")[row]
    # It stays while the threshold moves; what a person chooses goes before.
    state.share = 0.9
    assert state.followed("tefe") == row
    state.row = 5
    assert state.followed("tefe") == 5


def test_another_data_set_begins_anew():
    state = train(CascadeState())
    state.param.update(row=100, rivals={"jit": object()}, runs=[1])
    state.source = "digits"
    state.C = 0.01
    train(state)
    assert (state.row, state.rivals, state.runs) == (None, {}, [])


def test_rivals_are_traced_again_for_another_c_only(state):
    (asked,) = RIVALS.missing(state).values()
    RIVALS.known(state)[asked] = {}
    assert not RIVALS.missing(state)
    state.order = "value"
    train(state)
    assert not RIVALS.missing(state)
    state.C = 10.0
    train(state)
    assert RIVALS.missing(state)


def test_one_move_of_the_threshold_is_computed_once(state, monkeypatch):
    both = (CascadeStages, CascadeLine, CascadeJourney, CascadeTradeoff)
    views = [view(state=state) for view in (*both, CascadeStageTable, CascadeSummary)]
    computed = []

    def counting(kind, name):
        compute = getattr(kind, name)

        def count(*arguments):
            computed.append(name)
            return compute(*arguments)

        monkeypatch.setattr(kind, name, count)

    assert state.cascade.early_row >= 0  # once for all thresholds
    counting(type(state.picture.validation.curve), "threshold_at_share")
    counting(type(state.picture.test), "exits")
    state.share = 0.6125
    assert sorted(computed) == ["exits", "threshold_at_share"]
    assert all(view.state is state for view in views)


def test_a_row_that_is_tapped_is_followed_and_no_other_fades(state):
    stages = CascadeStages(state=state)
    for name in ("right", "wrong"):
        drawn = stages._renderers[name]
        rows = drawn.data_source.data["row"]
        drawn.data_source.selected.indices = [len(rows) - 1]
        stages.figure._trigger_event(Tap(stages.figure))
        assert state.row == rows[-1]
        assert drawn.nonselection_glyph is None


def test_what_is_as_right_for_less_is_the_cheapest_mark_that_is(state):
    scene, unit = CascadeTradeoff(state=state).scene(), state.cascade.dataset.unit
    cost, accuracy = state.here()
    points = [
        (x, y, layer.key)
        for layer in scene.layers
        if layer.hover
        for x, y in zip(layer.columns["x"], layer.columns["y"], strict=True)
    ]
    paid, right, title = min(one for one in points if one[1] >= accuracy)
    assert paid < cost
    assert scene.said == cheaper_text(scene.layers, (cost, accuracy), unit)
    assert f": {title}, {percent_text(right)} for " in scene.said
    assert "No curve" in cheaper_text(scene.layers, (min(points)[0], 0.0), unit)


def test_all_features_are_all_of_them_under_a_cap(state):
    assert state.threshold_result().lead() != ""
    full = state.picture.test.prefix_accuracy[-1]
    state.param.update(cap=0.2, share=1.0)
    assert state.picture.test.n_stages < state.cascade.rows("test", "raw").n_stages
    assert percent_text(full) in state.threshold_result().lead()


def test_a_prefix_is_called_better_only_beyond_two_standard_errors(state):
    for share in np.linspace(0, 1, 21):
        result = state.picture.at(share)
        test = result.picture.test
        affordable = np.flatnonzero(test.stage_costs <= result.cost * (1 + 1e-9))
        stage = max(
            affordable, key=lambda k: state.picture.validation.prefix_accuracy[k]
        )
        gain = test.right[:, stage].astype(float) - result.is_right
        is_better = gain.mean() > 2 * gain.std(ddof=1) / np.sqrt(len(gain))
        assert is_better == ("Better for no more money: " in result.summary())
        assert percent_text(test.prefix_accuracy[stage]) in result.summary()
