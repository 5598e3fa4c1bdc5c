"""The paper's figures, computed anew on a few scenes."""

from itertools import pairwise

import numpy as np
import pytest

from solvers.cascades import FIGURES, CascadeRows, path_picture, trace_figure
from solvers.cascades.crossing import DRAWN, cross
from solvers.cascades.figure import Series, at_cost, within_cost
from solvers.cascades.figures import acceptable_threshold
from solvers.datasets import make_scenes
from solvers.errors import DataError
from solvers.methods.tefe import TEFEClassifier


class Figures(dict):
    """Figures of a hundred scenes and two folds, as they came when first asked for."""

    def __missing__(self, name):
        self[name] = list(trace_figure(name, folds=2, n_samples=100))
        return self[name]


@pytest.fixture(scope="module")
def figures():
    return Figures()


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_ends_with_its_claims_and_all_done(figures, name):
    assert figures[name][-1].claims
    assert figures[name][-1].share == 1.0
    assert not any(figure.claims for figure in figures[name][:-1])


@pytest.mark.parametrize("name", FIGURES)
def test_progress_never_falls(figures, name):
    shares = [figure.share for figure in figures[name]]
    assert all(one <= other for one, other in pairwise(shares))


@pytest.mark.parametrize("name", ["fig5", "fig7", "fig8", "fig9"])
def test_accuracies_are_shares_and_costs_within_the_full_one(figures, name):
    full = make_scenes(100, costs="published").hypergraph.total_cost
    for series in figures[name][-1].series:
        assert np.all((series.y >= 0) & (series.y <= 1))
        assert np.all((series.x >= 0) & (series.x <= full * (1 + 1e-9)))


def test_the_cascade_ends_at_the_machine_on_all_features(figures):
    named = {series.name: series for series in figures["fig5"][-1].series}
    full = named["SVM, all features"]
    assert named["TEFE"].y[-1] == full.y[0]
    assert named["TEFE"].x[-1] == pytest.approx(full.x[0])
    assert named["static prefix"].y[-1] == full.y[0]


def test_every_scene_leaves_in_one_round_of_table_2(figures):
    rounds = figures["table2"][-1].rounds
    left = [i for found in rounds for i in (*found.right_rows, *found.wrong_rows)]
    assert sorted(left) == list(range(100))


def test_the_threshold_of_table_2_is_the_least_of_acceptable_accuracy():
    rng = np.random.default_rng(0)
    rows = CascadeRows(
        rng.random((50, 4)),
        (rng.random((50, 4)) < [0.5, 0.6, 0.7, 0.9]).astype(int),
        np.ones(50, int),
        np.arange(1.0, 5.0),
        2,
    )
    found, curve = acceptable_threshold(rows), rows.curve
    at = curve.position(found)
    assert curve.accuracy[at] >= curve.accuracy[-1] - 0.049
    assert np.all(curve.accuracy[:at] < curve.accuracy[-1] - 0.049)


def test_fig_10_draws_a_line_beside_each_curve(figures):
    names = [series.name for series in figures["fig10"][-1].series]
    assert names == [
        "ten kinds",
        "ten kinds, line",
        "beach or sea",
        "beach or sea, line",
    ]


def test_the_table_of_a_figure_holds_every_point(figures):
    figure = figures["fig8"][-1]
    assert len(figure.table()) == sum(len(series.x) for series in figure.series)


def test_an_unknown_figure_is_refused_before_the_first_step():
    with pytest.raises(DataError, match="There is no figure 'fig4'; choose from fig3"):
        trace_figure("fig4")


@pytest.mark.parametrize(("folds", "n_samples"), [(1, 1000), (6, 100)])
def test_folds_that_cannot_be_made_are_refused(folds, n_samples):
    with pytest.raises(DataError, match="cannot be made; ask for 2 or more"):
        trace_figure("fig5", folds=folds, n_samples=n_samples)


# ------------------------------------------------------------------------------ points


def test_the_best_score_within_a_cost_counts_what_is_cheaper():
    series = Series("a", "tefe", np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.9, 0.8]))
    assert [within_cost(series, cost) for cost in (0.5, 1.0, 2.5, 9.0)] == [
        0.0,
        0.5,
        0.9,
        0.9,
    ]


def test_the_score_at_a_cost_is_chosen_by_cost_alone():
    series = Series("a", "tefe", np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.9, 0.8]))
    assert [at_cost(series, cost) for cost in (0.5, 1.0, 2.5, 9.0)] == [
        0.0,
        0.5,
        0.9,
        0.8,
    ]


def test_folds_are_compared_at_all_thresholds_and_drawn_at_few():
    pooled = list(cross([make_scenes(100, costs="published")], 2, 0))[-1]
    (fold,) = pooled.units()[0]
    assert len(fold[0].x) == len(pooled.parts[0].curve.cost)
    assert len(pooled.series()[0].x) <= DRAWN + 2


# ---------------------------------------------------------------------------- the path


def test_the_picture_reaches_the_trained_machines():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((40, 3))
    y = (X @ [1.0, -1.0, 0.5] + 0.5 * rng.standard_normal(40) > 0).astype(int)
    model = TEFEClassifier()
    picture = list(path_picture(model, X, y, n_features=3))[-1]
    model.fit(X, y)
    assert picture.followed
    assert len(picture.ends) == 3
    for stage, end in enumerate(picture.ends):
        weights = model.stage_coef_[0, stage] * model.spread_
        expected = weights[picture.columns]
        assert picture.coef[end] == pytest.approx(expected, abs=1e-6)


def test_the_penalty_falls_to_zero_within_every_phase():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((30, 3))
    y = (X[:, 0] + rng.standard_normal(30) > 0).astype(int)
    picture = list(path_picture(TEFEClassifier(), X, y, n_features=3))[-1]
    assert np.all(picture.beta[picture.ends] == 0.0)
    phases = np.split(picture.beta, picture.ends[:-1] + 1)
    assert all(np.all(np.diff(phase) <= 0) for phase in phases[1:])


def test_more_features_than_there_are_cannot_come_in():
    X, y = np.array([[0.0], [1.0]]), [0, 1]
    with pytest.raises(DataError, match="n_features is 4, but the table has 1 columns"):
        path_picture(TEFEClassifier(), X, y, n_features=4)
