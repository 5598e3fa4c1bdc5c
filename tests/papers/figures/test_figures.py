"""Every figure of the paper holds together, on tiny sizes."""

import numpy as np
import pytest

from solvers import ThriftscopeError
from solvers.papers.figures import (
    all_figures,
    figure_2,
    figure_3,
    figure_4,
    figure_5,
    figure_6,
    figure_7,
    figure_8,
    figure_9,
    figure_10,
    figure_blocks,
    figure_table,
)
from tests.each import each

REFUSED = [
    (lambda: figure_2([]), "psis is empty"),
    (lambda: figure_2([1.5]), "psis holds 1.5"),
    (lambda: figure_3([0.0]), "shares holds 0.0"),
    (lambda: figure_4(n_samples=3), "n_samples holds 3"),
    (lambda: figure_5(rivals=["magic"]), "There is no method 'magic'"),
    (lambda: figure_6([0]), "n_features holds 0"),
    (lambda: figure_7([0]), "copies holds 0"),
    (lambda: figure_8(psis=[-1]), "psis holds -1"),
    (lambda: figure_9([]), "copies is empty"),
    (lambda: figure_10(repeats=0), "repeats holds 0"),
    (lambda: figure_blocks([1]), "n_features holds 1"),
]


@each("name", all_figures())
def test_every_figure_has_rows_and_says_what_they_show(rows, name):
    figure = all_figures()[name]
    assert rows[name]
    assert all(figure.measured(rows[name]))


@each("name", all_figures())
def test_every_column_that_is_drawn_or_tabled_is_there(rows, name):
    axes = all_figures()[name].axes
    table = figure_table(rows[name])
    drawn = {axes.x, *axes.y, axes.series, *axes.panels, *axes.logarithmic}
    assert drawn | set(axes.headings) <= set(table.columns)
    assert drawn - axes.logarithmic <= set(axes.headings)
    assert np.isfinite(table[[axes.x, *axes.y]].to_numpy(float)).all()


@each("name", all_figures())
def test_progress_rises_to_what_the_default_work_is(rows, name):
    figure = all_figures()[name]
    shares = [figure.share_done(rows[name][: i + 1]) for i in range(len(rows[name]))]
    assert shares == sorted(shares)
    assert 0 < shares[-1] <= 1


def test_default_blocks_end_at_the_whole_share():
    figure = all_figures()["9"]
    assert figure.share_done(figure.rows()) == 1.0


@each(("asked", "said"), REFUSED)
def test_bad_sizes_are_refused_before_the_first_row(asked, said):
    with pytest.raises(ThriftscopeError, match=said):
        asked()
