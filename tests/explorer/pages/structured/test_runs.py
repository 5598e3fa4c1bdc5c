"""Every method has a classifier; a curve asks for what is missing."""

from explorer.pages.structured.queries import CURVE
from explorer.pages.structured.runs import METHODS, make_classifiers
from tests.explorer.pages.structured.asked import QUICK, is_traced, state_of


def test_a_curve_asks_only_for_what_is_missing():
    state = state_of(n_seeds=1)
    asked = [*CURVE.missing(state)]
    for point in asked[:2]:
        state.show_curve({point: next(CURVE.work(state, point))})
    assert len(state.curve.points) == 2
    CURVE.answer(state)
    assert is_traced(state)
    state.methods = [*QUICK, "LOGREG with edges"]
    assert not is_traced(state)
    assert {method for *_, method in CURVE.missing(state)} == {"LOGREG with edges"}


def test_a_curve_over_agreement_does_not_depend_on_the_agreement_chosen():
    state = state_of()
    setting = state.curve_plan().setting
    state.label_agreement = 0.6
    assert state.curve_plan().setting == setting
    state.attribute_strength = 0.15
    assert state.curve_plan().setting != setting


def test_more_seeds_narrow_the_bars_of_the_same_curve():
    state = state_of(n_seeds=2, methods=["LOGREG"], method="LOGREG")
    CURVE.answer(state)
    assert is_traced(state)
    line = state.curve.line("LOGREG")
    assert [value for value, _ in line] == [round(0.5 + 0.05 * k, 2) for k in range(11)]
    assert {summary.n_results for _, summary in line} == {6}


def test_sensors_have_a_curve_over_occupant_cost_and_own_graphs_have_none():
    assert state_of("sensors").curve_knob == "occupant_cost"
    assert state_of("own").curve_plan() is None


def test_every_method_has_a_classifier():
    assert list(make_classifiers(METHODS)) == list(METHODS)


def test_only_small_graphs_are_solved_exactly():
    assert "MN (exact)" in state_of("small").choices
    assert "MN (exact)" not in state_of("growth").choices
    assert dict(state_of("small", n_nodes=300).setting().growth)["n_nodes"] <= 60
