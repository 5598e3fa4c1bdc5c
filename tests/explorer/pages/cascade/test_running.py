"""A prediction computes only what it needs, and says what the table says."""

from dataclasses import replace

import numpy as np
import pytest

from explorer.pages.cascade.state import CascadeState
from explorer.pages.cascade.training import run_prediction
from solvers.errors import DataError
from tests.explorer.pages.cascade.asked import train


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
    n_samples, done = len(scenes.cascade.dataset.samples), []
    places = [place for place in range(4, len(test)) if test[place] < n_samples]
    for place in places[:3]:  # the row that is followed, then the next ones
        run = list(run_prediction(picture.at(0.5), places[0], done))[-1]
        assert run.row == test[place]
        done.append(run.row)
        told = model.predict(scenes.cascade.scaled("test")[[place]])[0]
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
