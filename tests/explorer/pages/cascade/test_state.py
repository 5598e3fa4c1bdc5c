"""What is asked of a cascade decides what is trained, kept and shown."""

import base64
import zlib
from dataclasses import replace

import numpy as np
import pytest

from explorer.pages.cascade.images import data_uri, examples_of, figure_6, paint
from explorer.pages.cascade.journey import CascadeJourney
from explorer.pages.cascade.line import CascadeLine
from explorer.pages.cascade.running import run_prediction
from explorer.pages.cascade.stage_table import CascadeStageTable
from explorer.pages.cascade.stages import CascadeStages
from explorer.pages.cascade.state import CascadeState
from explorer.pages.cascade.summary import CascadeSummary, summary_text
from explorer.pages.cascade.tradeoff import CascadeTradeoff
from explorer.pages.cascade.training import (
    RIVALS,
    TrainingRequest,
    trace_rivals,
    train_cascade,
)
from explorer.pages.cascade.verdict import verdict_text
from solvers.datasets import make_gaussian, make_scenes
from solvers.datasets.scenes import row_image
from solvers.errors import DataError


def train(state):
    request = state.request("tefe")
    if request is not None:
        state.take(list(train_cascade(request))[-1])
    return state


@pytest.fixture(scope="module")
def trained():
    return train(CascadeState(source="breast_cancer")).cascade


@pytest.fixture
def state(trained):
    state = CascadeState(source="breast_cancer")
    state.take(trained)
    return state


@pytest.fixture(scope="module")
def scenes():
    """A cascade on few scenes, which have a pipeline and images."""
    state = CascadeState(source="session", session_dataset=make_scenes(120))
    return train(state)


# ---------------------------------------------------------------------------- training


def test_training_tells_how_far_it_is_and_then_gives_the_cascade():
    items = list(train_cascade(CascadeState().request("tefe")))
    assert items[:-1] == sorted(items[:-1])
    assert items[-2] == 1.0
    assert len(items[-1].model.stage_costs_) == 30


def test_columns_are_scaled_by_the_training_rows_alone(trained):
    scaled = trained.scaled("train")
    assert scaled.mean(axis=0) == pytest.approx(np.zeros(30), abs=1e-9)
    assert scaled.std(axis=0) == pytest.approx(np.ones(30))


def test_a_constant_column_is_not_divided_by_zero():
    state = train(CascadeState(source="digits", C=0.01))
    assert np.isfinite(state.cascade.scaled("test")).all()


def test_more_rows_than_are_waited_for_are_left_out():
    request = TrainingRequest(
        "session", make_gaussian(n_samples=4000, n_features=4), 1.0, "alone", False
    )
    cascade = list(train_cascade(request))[-1]
    assert len(cascade.split.rows["train"]) == 1000


def test_the_session_without_data_is_refused():
    request = CascadeState(source="session").request("tefe")
    with pytest.raises(DataError, match="has no data yet; choose other data"):
        list(train_cascade(request))


def test_a_knob_that_is_turned_back_trains_nothing(state, trained):
    state.C = 10.0
    assert state.request("tefe") is not None
    state.C = 1.0
    assert state.request("tefe") is None
    assert state.cascade is trained


@pytest.mark.parametrize("kind", ["raw", "gap"])
def test_confidences_of_the_same_machines_need_no_training(state, kind):
    state.confidence = kind
    assert state.request("tefe") is None
    assert state.picture.kind == kind


def test_calibration_trains_and_the_old_picture_stays_until_then(state):
    before = state.picture
    state.confidence = "calibrated"
    assert state.request("tefe").is_calibrated
    assert state.picture is before
    train(state)
    assert state.picture.kind == "calibrated"
    state.confidence = "distance"
    assert state.request("tefe") is None


def test_order_and_c_are_those_that_are_trained():
    state = train(CascadeState(order="value", C=0.1))
    assert (state.cascade.model.order, state.cascade.model.C) == ("value", 0.1)


# ------------------------------------------------------------------------- the outcome


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
    assert state.request("tefe") is None


def test_no_cap_is_too_low_for_the_first_stage(state):
    state.cap = 0.0
    assert state.picture.test.n_stages == 1
    assert len(state.journey("tefe").stops) == 1


def test_the_summary_names_threshold_cost_and_yardsticks(state):
    text = summary_text(state)
    assert "test rows right" in text
    assert "The best fixed prefix for that" in text
    assert summary_text(CascadeState()) == "Training the first cascade."


def test_the_verdict_lists_every_budget_once(state):
    rows = state.picture.against_prefix
    text = verdict_text(rows).split(". Threshold")[0]
    assert all(f"{100 * row.share:.0f}" in text for row in rows)


# ------------------------------------------------------------------------- one journey


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


# ------------------------------------------------------------------------------ rivals


def test_every_rival_is_traced_on_test_rows(trained):
    last = {series.method: series for series in trace_rivals(trained)}
    assert set(last) == set(RIVALS)
    for series in last.values():
        assert np.all(np.diff(series.x) >= 0)
        assert np.all(series.x <= trained.full_cost * (1 + 1e-9))


def test_rivals_are_traced_again_for_another_c_only(state):
    assert state.wants_rivals()
    state.end_rivals()
    assert not state.wants_rivals()
    state.C = 10.0
    train(state)
    assert state.wants_rivals()


# -------------------------------------------------------------------- real predictions


def test_a_prediction_computes_only_what_it_needs(scenes):
    run = list(run_prediction(scenes.picture.at(0.2), 0))[-1]
    assert run.row in scenes.cascade.split.rows["test"]
    assert run.charged == pytest.approx(run.journey.cost)  # microseconds already
    assert run.charged < run.reference_charged
    assert 0 < run.measured
    assert len(run.journey.features) < 60


def test_a_prediction_says_what_the_table_says(scenes):
    picture = scenes.picture
    threshold = picture.threshold(0.5)
    model = picture.model(threshold)
    test = scenes.cascade.split.rows["test"]
    for count in range(3):
        run = list(run_prediction(picture.at(0.5), count))[-1]
        row = int(np.flatnonzero(test == run.row)[0])
        told = model.predict(scenes.cascade.scaled("test")[[row]])[0]
        assert run.journey.label == told


def test_without_feature_functions_nothing_can_be_run(state):
    with pytest.raises(DataError, match="no feature functions to run; choose scenes"):
        next(run_prediction(state.threshold_result(), 0))


def test_costs_that_are_no_times_are_refused(scenes):
    data = replace(
        scenes.cascade.dataset,
        hypergraph=type(scenes.cascade.dataset.hypergraph).independent(
            np.ones(60), scenes.cascade.dataset.feature_names, unit="EUR"
        ),
    )
    priced = train(CascadeState(source="session", session_dataset=data))
    with pytest.raises(DataError, match="'EUR', not in a unit of time"):
        next(run_prediction(priced.threshold_result(), 0))


# ------------------------------------------------------------------------------ images


def test_examples_leave_in_their_round_and_say_how(scenes):
    picture = scenes.picture
    threshold = picture.threshold(scenes.share)
    for found in scenes.rounds():
        shown = examples_of(scenes.cascade, picture.test, found, threshold)
        assert len(shown) <= 6
        for example in shown:
            assert found.first <= example.stage <= found.last
            assert example.truth == scenes.cascade.dataset.y[example.row]


def test_a_picture_holds_the_pixels_of_its_row():
    content = base64.b64decode(dict(paint([3]))[3].split(",")[1])
    start = content.index(b"IDAT") + 4
    length = int.from_bytes(content[start - 8 : start - 4], "big")
    lines = np.frombuffer(zlib.decompress(content[start : start + length]), np.uint8)
    pixels = lines.reshape(64, -1)[:, 1:].reshape(64, 96, 3)
    assert np.array_equal(pixels, row_image(3))


def test_a_picture_says_its_size():
    image = np.zeros((2, 5, 3), np.uint8)
    content = base64.b64decode(data_uri(image).split(",")[1])
    size = content[content.index(b"IHDR") + 4 :][:8]
    assert size == (5).to_bytes(4, "big") + (2).to_bytes(4, "big")


def test_fig_6_shows_early_late_and_wrong_images(scenes):
    rounds = scenes.rounds()
    early, late, wrong = figure_6(rounds).values()
    assert early == rounds[0].right_rows[:2].tolist()
    assert late == rounds[1].right_rows[:2].tolist()
    assert wrong == rounds[2].wrong_rows[:2].tolist()
    assert figure_6(()) == {}


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
