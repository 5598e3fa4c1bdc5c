"""A study that somebody asks for: what is drawn, judged and tabled of it."""

import numpy as np
import pytest

from explorer.session.context import Context
from explorer.session.state import SessionState
from explorer.session.study_part import (
    MEASURED,
    ClaimsTable,
    Measured,
    StudyPart,
    StudyState,
    measure,
)
from solvers.papers import Finding
from solvers.papers.cascades import figure_studies
from solvers.papers.figures import all_figures, figure_8, figure_blocks
from solvers.papers.studies import studies


def of_figure_8(**more):
    rows = tuple(figure_8([100, 200], psis=[1e-3, 1e-2]))
    return Measured(all_figures()["8"], rows, **more)


@pytest.fixture
def state():
    return StudyState(all_figures(), figure="8", measured=of_figure_8())


def test_nothing_is_shown_before_rows_have_come_and_of_another_study():
    state = StudyState(all_figures(), measured=of_figure_8())
    assert state.found is state.shown() is None
    state.figure = "8"
    assert state.found is state.measured


def test_there_is_a_picture_for_each_panel_and_each_quantity(state):
    assert [*state.found.pictures] == [
        "Memory (MB, counted), Sharing ψ = 0.001",
        "Memory (MB, counted), Sharing ψ = 0.01",
    ]
    blocks = tuple(figure_blocks([100], psis=[0.01, 0.001]))
    found = Measured(all_figures()["blocks"], blocks)
    assert [*found.pictures] == ["Blocks K", "Largest block (features)"]


def test_a_picture_has_a_line_for_each_procedure_by_rising_x(state):
    picture = state.shown()
    drawn = {line.name: line for line in picture.lines}
    rows = [row for row in state.found.rows if row.psi == 1e-3]
    assert set(drawn) == {row.procedure for row in rows}
    line = drawn["CAFH as published"]
    assert line.x == (100, 200)
    assert line.y == tuple(
        row.megabytes for row in rows if row.procedure == "CAFH as published"
    )
    assert (picture.is_x_log, picture.is_y_log) == (False, True)


def test_rows_that_share_a_place_are_drawn_as_their_mean():
    study = studies()["CSMN Fig. 2"]
    rows = tuple(study.rows(n_seeds=1, n_nodes=20))
    (picture,) = Measured(study, rows).pictures.values()
    (line,) = [one for one in picture.lines if one.name == "LOGREG"]
    costs = [r.cost for r in rows if r.method == "LOGREG" and r.alpha == line.x[1]]
    assert len(costs) == 3
    assert line.y[1] == pytest.approx(np.mean(costs))


def test_the_table_has_every_row_under_the_headings(state):
    columns, numbers, rows = state.found.table()
    assert columns[0] == "Procedure"
    assert numbers == [False, True, True, True, True, True]
    assert len(rows) == len(state.found.rows)
    assert all(len(row) == len(columns) for row in rows)


def test_the_part_draws_all_pictures_of_a_study_in_one_figure_and_tables_it_whole():
    part = StudyPart(Context(SessionState()), all_figures())
    part.state.figure = "8"
    whole = of_figure_8(share=1.0)
    part.state.measured = Measured(whole.study, whole.rows[:3], share=0.1)
    seen = part.view
    view = seen._views[whole.study]
    assert "not complete" in seen._about.object
    assert seen._table.rows == []
    part.state.measured = whole
    assert seen._views == {whole.study: view}
    assert len(seen._table.rows) == len(whole.rows)
    first, second = whole.pictures.values()
    drawn = view._shown[first.lines[0].name].columns
    assert (drawn["x"], drawn["y"]) == (list(first.lines[0].x), list(first.lines[0].y))
    part.state.picture = second.title
    drawn = view._shown[second.lines[0].name].columns
    assert drawn["y"] == list(second.lines[0].y)
    part.state.figure = "9"
    assert not seen._result.visible


def test_claims_are_judged_once_all_has_come_and_only_then():
    *before, last = measure(studies()["ECA Table 4"])
    assert last.is_whole
    assert len(last.findings) == 13
    assert {one.outcome for one in last.findings} <= {"holds", "does not hold"}
    assert before
    assert not any(one.findings or one.is_whole for one in before)


def test_a_study_is_asked_once_and_again_when_somebody_presses_again():
    state = StudyState({"t": studies()["ECA Table 4"]})
    assert MEASURED.wanted(state) == {}
    state.ask()
    (first,) = MEASURED.wanted(state).values()
    assert MEASURED.answer(state).is_whole
    assert MEASURED.missing(state) == {}
    state.ask()
    (second,) = MEASURED.missing(state).values()
    assert second != first


def test_what_was_cancelled_is_asked_for_no_more_until_somebody_presses_again():
    part = StudyPart(Context(SessionState()), {"t": studies()["ECA Table 4"]})
    part.state.is_figure_asked = True
    part.cancel()
    assert MEASURED.wanted(part.state) == {}
    part.state.ask()
    assert MEASURED.wanted(part.state)
    part.job.cancel()


def test_a_figure_of_the_cascades_shows_its_points_and_a_table_its_images(monkeypatch):
    study = figure_studies()["table2"]
    monkeypatch.setitem(study.quick, "n_samples", 200)
    monkeypatch.setitem(study.quick, "folds", 2)
    *_, last = measure(study)
    assert last.findings == tuple(last.findings) != ()
    assert all(
        uri.startswith("data:image/png") for u in last.images.values() for uri in u
    )
    assert last.images


def test_parts_of_a_study_are_drawn_and_judged_with_it(monkeypatch):
    study, also = all_figures()["10"], all_figures()["blocks"]
    monkeypatch.setattr(study, "rows", lambda **_: iter([]))
    monkeypatch.setattr(study, "judge", lambda rows: [])
    monkeypatch.setattr(study, "describe", lambda rows: [])
    rows = list(figure_blocks([100, 200], psis=[1e-3, 1e-4]))
    monkeypatch.setattr(also, "rows", lambda **_: iter(rows))
    *_, last = measure(study)
    assert {"Blocks K", "Largest block (features)"} <= {*last.pictures}
    assert len(last.findings) == len(also.claims) > 0


def test_claims_count_what_holds_and_one_run_settles_nothing():
    claims = [
        Finding("It is <so>.", "1", "2", outcome, "Fig. 1")
        for outcome in ("holds", "does not hold")
    ]
    said = ClaimsTable(findings=claims)._pane.object
    assert "1 of 2 claims hold here." in said
    assert "It is &lt;so&gt;." in said
    once = [Finding("It is so.", "1", "2", "one run", "Fig. 1")]
    assert "one run settles none" in ClaimsTable(findings=once)._pane.object
