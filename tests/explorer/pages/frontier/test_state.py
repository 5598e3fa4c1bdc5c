"""What a state knows of its frontiers, and when it must ask again."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from explorer.compute.query import Answering
from explorer.compute.shared import SHARED
from explorer.compute.traces import Trace
from explorer.pages.frontier import choices
from explorer.pages.frontier.answer import summary_text
from explorer.pages.frontier.queries import MARKS, TRACES, mark_method
from explorer.pages.frontier.state import FrontierState, Refitters
from explorer.session.state import bundled, opening_budget
from solvers import FeatureHypergraph, split_dataset
from tests.each import each

pytestmark = pytest.mark.usefixtures("nothing_is_known")


@pytest.fixture(scope="module")
def data():
    return bundled("breast_cancer")


@pytest.fixture(scope="module")
def traced(data):
    """What is known once the methods were traced, which no test changes."""
    SHARED.clear()
    TRACES.answer(opened(data))
    return list(SHARED.traces.items())


@pytest.fixture
def state(data, traced, nothing_is_known):
    SHARED.traces.update(traced)
    state = opened(data)
    assert not TRACES.missing(state)
    return state


def opened(data):
    few = {"acafh.candidates": "best", "acafh.n_alphas": 12, "l1.n_alphas": 12}
    state = FrontierState(dataset=data, methods=["acafh", "l1"], settings=few)
    state.budget = 0.3 * data.hypergraph.total_cost
    return state


def trace(state):
    TRACES.answer(state)


def test_every_ticked_method_is_traced_to_its_end(state):
    assert set(state.traces) == {"acafh", "l1"}
    assert all(trace.is_complete for trace in state.traces.values())


def test_only_what_a_knob_concerns_is_traced_again(state):
    state.p = 0.7
    assert set(TRACES.missing(state)) == {"acafh"}


def test_turning_a_knob_back_costs_nothing(state):
    before = state.traces["acafh"]
    state.p = 0.7
    trace(state)
    state.p = 0.5
    assert not TRACES.missing(state)
    assert state.traces["acafh"] is before


def test_the_old_curve_stays_until_a_new_point_has_come(state):
    before = state.traces["acafh"]
    state.p = 0.7
    run = Answering(TRACES.missing(state))
    ((method, _, items),) = [one for one in TRACES.streams(state, ["acafh"])][1:]
    assert state.traces["acafh"] is before
    TRACES.take(state, run, [(method, next(items))])
    assert len(state.traces["acafh"].points) == 1


def test_best_within_the_budget_fits_and_is_lit(state):
    best = state.best_within_budget()
    assert all(point.validation_cost["mean"] <= state.budget for point in best.values())
    assert state.chosen().reason == "budget"
    assert state.chosen().point in best.values()


def test_no_budget_buys_only_what_is_free(state):
    state.budget = 0.0
    assert all(point.cost["mean"] == 0 for point in state.best_within_budget().values())


def test_moving_alpha_lights_the_model_at_exactly_that_value(state):
    state.param.update(alpha=0.0123, reason="alpha")
    MARKS.answer(state)
    assert state.chosen().reason == "alpha"
    assert state.chosen().point.params["alpha"] == pytest.approx(0.0123)


def test_a_picked_point_stays_lit(state):
    point = state.traces["l1"].points[-1]
    state.choose_point(point)
    assert state.chosen().point is point


def test_a_pick_is_found_again_by_its_name_once_its_path_has_come(state):
    first, second = state.traces["l1"].points[3:5]
    state.choose_point(first)
    name = state.pick
    state.choose_point(second)
    state.pick = name  # as undoing does
    assert state.chosen().point is first
    traces, known = state.traces, list(SHARED.traces.items())
    SHARED.traces.clear()
    state.param.update(traces={}, picked=None)  # as a link opens the page
    assert state.chosen() is None
    SHARED.traces.update(known)
    state.traces = traces
    assert state.chosen().point is first
    state.pick = "l1-00000000"  # as somebody's link says
    assert (state.pick, state.reason) == ("", "budget")
    assert "on none of the lines" in state.lost
    state.budget *= 0.5
    assert state.lost == ""


def test_a_pick_goes_with_its_line_and_the_budget_goes_along_with_it(state):
    point = state.traces["l1"].points[-1]
    state.choose_point(point)
    state.charge = "one_row"
    assert state.budget == pytest.approx(state.axes().held(point))
    state.p = 0.7  # which L1 does not have
    assert state.chosen().point is point
    state.methods = ["acafh"]
    assert (state.pick, state.reason, state.picked) == ("", "budget", None)
    other = state.traces["acafh"].points[-1]
    state.choose_point(other)
    state.p = 0.8
    assert state.chosen().point is other  # until the new line has come
    trace(state)
    assert state.reason == "budget"


def test_unticking_a_method_takes_its_points_away(state):
    state.methods = ["l1"]
    TRACES.missing(state)
    assert set(state.traces) == {"l1"}


def test_another_data_set_forgets_everything(state):
    state.open_dataset(state.dataset)
    assert not state.traces
    assert not state.marks
    state.dataset = bundled("sources")
    assert set(TRACES.missing(state)) == {"acafh", "l1"}


def test_rows_stay_cut_at_other_prices_and_are_cut_anew_of_another_table(state, data):
    rows = state.split().rows
    dearer = FeatureHypergraph.independent([2.0] * data.n_features, data.feature_names)
    state.open_dataset(replace(data, hypergraph=dearer))
    assert state.split().dataset is state.dataset
    assert state.split().rows is rows
    assert {*rows["train"]} == {*split_dataset(state.dataset).rows["train"]}
    state.open_dataset(replace(data, y=data.y[::-1].copy()))
    assert state.split().rows is not rows


def test_at_other_prices_and_in_another_unit_the_budget_buys_the_same_share(data):
    state = FrontierState(dataset=data)
    state.budget = 0.3 * data.hypergraph.total_cost
    dear = replace(
        data.hypergraph, component_costs=data.hypergraph.component_costs * 99
    )
    for priced in (dear, replace(dear, component_costs=dear.component_costs / 1e5)):
        state.open_dataset(replace(data, hypergraph=priced))
        assert state.budget == pytest.approx(0.3 * priced.total_cost)
    given_away = replace(dear, component_costs=0 * dear.component_costs)
    for priced in (given_away, dear):  # a share of nothing is none
        state.open_dataset(given := replace(data, hypergraph=priced))
        assert state.budget == opening_budget(given)


def test_more_classes_leave_the_methods_that_tell_them_apart():
    state = FrontierState(dataset=bundled("sources"), methods=["cstc", "tefe"])
    scenes = bundled("scenes")
    state.open_dataset(scenes)
    assert state.methods == ["hypergraph_cascade", "tefe", "static_prefix", "csdt"]
    state.methods = ["tefe"]
    state.open_dataset(bundled("sources"))
    assert state.methods == ["cstc", "tefe"]
    state.open_dataset(scenes)
    assert state.methods == ["tefe"]


def test_a_stale_request_and_a_newer_one_do_not_meet_in_one_solver(state):
    """Both work on what was prepared once; one waits for the other."""
    requests = []
    for alpha in (0.01, 0.003):
        state.alpha = alpha
        requests.append([(alpha, mark_method(state, name)) for name in state.methods])
    with ThreadPoolExecutor(2) as threads:
        both = [
            threads.submit(
                lambda one=one: [
                    (alpha, item) for alpha, items in one for item in items
                ]
            )
            for one in requests
        ]
        found = [pair for items in both for pair in items.result()]
    assert all(point.params["alpha"] == alpha for alpha, point in found)


@each("name", ["roc_auc", "neg_log_loss"])
def test_the_best_is_the_best_by_the_chosen_score(state, name):
    state.score = name
    best = state.chosen().point
    fits = [p for p in state.frontier() if p.validation_cost["mean"] <= state.budget]
    worth = [p.scores["validation"][name] for p in fits]
    assert best.scores["validation"][name] == max(worth)
    assert state.floor() < best.scores["test"][name]


def test_deciding_is_charged_on_request_and_the_picked_point_stays(state):
    point = state.traces["l1"].points[-1]
    state.choose_point(point)
    before = state.axes().cost(point)
    state.charge = "one_row"
    assert state.axes().cost(point) == pytest.approx(
        before + 1e3 * point.decision_seconds["one_row"]
    )
    assert state.chosen().point is point


def test_the_budget_ends_where_all_that_is_drawn_can_be_had_and_stays_in_reach(state):
    state.charge = "one_row"
    points, axes = state.frontier().points, state.axes()
    dearest = max(axes.deciding(point) for point in points)
    assert state.full_cost() >= max(axes.held(point) for point in points)
    state.param.update(budget=state.full_cost(), reason="budget")
    assert state.budget >= dearest
    state.charge = "features"
    assert state.budget == state.full_cost()


def test_the_menu_of_one_session_is_not_that_of_others(monkeypatch):
    monkeypatch.setattr(choices, "_tell_many_apart", lambda: ("csdt", "tefe"))
    before = opened(bundled("breast_cancer"))
    three = FrontierState(dataset=bundled("scenes"))
    assert "cstc" not in three.param.methods.objects
    with pytest.raises(ValueError, match="cstc"):
        three.methods = ["cstc"]
    assert "cstc" in FrontierState.param.methods.objects
    assert "cstc" in before.param.methods.objects


def test_the_sentence_says_what_was_held_and_what_test_rows_paid(state):
    point = replace(
        state.chosen().point,
        validation_cost={"mean": 17.1, "p95": 18.0, "max": 19.0},
        cost={"mean": 17.7, "p95": 18.0, "max": 19.0},
    )
    state.traces = {"l1": Trace((point,), is_complete=True)}
    state.param.update(methods=["l1"], budget=17.3)
    said = summary_text(state)
    assert "17.1 ms on validation rows, 17.7 on test rows" in said
    assert "test rows cost 0.400 ms more" in said
    assert "Deciding by the estimator's predict: " in said
    assert "an exported file takes another time" in said
    assert "(not charged)" in said


def test_points_of_unticked_methods_are_not_spoken_of(state):
    # Points on their way arrive beside those of a method that was just unticked.
    state.methods = ["greedy_miser"]
    state.traces = {**state.traces, "greedy_miser": Trace((), is_complete=False)}
    assert summary_text(state) == "No model is traced yet."
    state.methods = []
    assert summary_text(state) == "Tick a method to compare."


def test_the_sentence_says_why_a_higher_bar_is_not_the_best(state):
    one, other = (state.traces[name].points[-1] for name in ("acafh", "l1"))
    one = replace(one, scores=scored(one, validation=0.95, test=0.9))
    other = replace(other, scores=scored(other, validation=0.94, test=0.93))
    state.budget = state.dataset.hypergraph.total_cost
    state.traces = {
        "acafh": Trace((one,), is_complete=True),
        "l1": Trace((other,), is_complete=True),
    }
    assert "Validation rows chose it (F1 0.950 there, L1 0.940)" in summary_text(state)


def test_the_sentence_says_of_a_higher_bar_at_lambda_that_lines_are_chosen_from(state):
    point = state.chosen().point
    state.budget = state.dataset.hypergraph.total_cost
    state.traces = {"l1": Trace((replace(point, method="l1"),), is_complete=True)}
    state.methods = ["l1"]
    assert "exactly λ" not in summary_text(state)
    better = replace(point, method="l1", scores=scored(point, test=0.999))
    state.marks = {"l1": better}
    assert "at exactly λ scores 0.999 on test rows" in summary_text(state)


def scored(point, **f1):
    return {part: point.scores[part] | {"f1": value} for part, value in f1.items()}


def test_a_charge_for_deciding_stays_on_the_axis(state):
    state.charge = "one_row"
    points = state.frontier().undominated()
    assert max(map(state.axes().cost, points)) <= state.full_cost()
    assert state.full == state.full_cost() > state.dataset.hypergraph.total_cost


@pytest.fixture(scope="module")
def split():
    return split_dataset(bundled("breast_cancer"))


def test_a_method_is_prepared_once_until_a_setting_or_the_data_change(split):
    refit = Refitters()
    refit.of("acafh", split, {"p": 0.5}, {"p": 0.5})
    known = dict(refit._known)
    refit.of("acafh", split, {"p": 0.5, "alpha": 0.1}, {"p": 0.5})
    assert refit._known == known
    refit.of("acafh", split, {"p": 1.0}, {"p": 1.0})
    assert refit._known != known
    refit.clear()
    assert refit._known == {}
