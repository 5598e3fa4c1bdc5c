"""The paper's figures, computed anew on a few scenes."""

from itertools import pairwise

import numpy as np
import pytest

from solvers.datasets import make_scenes
from solvers.errors import DataError
from solvers.papers.cascades import FIGURES, CascadeRows, trace_figure
from solvers.papers.cascades.figures import acceptable_threshold
from tests.each import each


class Figures(dict):
    """Figures of a hundred scenes and two folds, as they came when first asked for."""

    def __missing__(self, name):
        self[name] = list(trace_figure(name, folds=2, n_samples=100))
        return self[name]


@pytest.fixture(scope="module")
def figures():
    return Figures()


@each("name", FIGURES)
def test_a_figure_ends_with_its_claims_and_all_done(figures, name):
    assert figures[name][-1].findings
    assert figures[name][-1].share == 1.0
    assert not any(figure.findings for figure in figures[name][:-1])


@each("name", FIGURES)
def test_progress_never_falls(figures, name):
    shares = [figure.share for figure in figures[name]]
    assert all(one <= other for one, other in pairwise(shares))


@each("name", ["fig5", "fig7", "fig8", "fig9"])
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


@each(("folds", "n_samples"), [(1, 1000), (6, 100)])
def test_folds_that_cannot_be_made_are_refused(folds, n_samples):
    with pytest.raises(DataError, match="cannot be made; ask for 2 or more"):
        trace_figure("fig5", folds=folds, n_samples=n_samples)
