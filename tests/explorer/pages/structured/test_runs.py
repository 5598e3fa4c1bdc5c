"""A curve asks for what is missing, and more seeds narrow its bars."""

from explorer.pages.structured.runs import trace_costs
from tests.explorer.pages.structured.asked import QUICK, state_of


def test_a_curve_asks_only_for_what_is_missing():
    state = state_of(n_seeds=1)
    request = state.curve_request()
    collect = state.curve_collector()
    items = trace_costs(request)
    collect([next(items), next(items)])
    assert len(state.curve_request().missing()) == len(request.missing()) - 2
    state.methods = [*QUICK, "LOGREG with edges"]
    missing = state.curve_request().missing()
    assert missing[0][2] == ("LOGREG with edges",)
    assert missing[2][2] == ("CSMN", "LOGREG", "CSMN w/o CSINF", "LOGREG with edges")


def test_a_curve_over_agreement_does_not_depend_on_the_agreement_chosen():
    state = state_of()
    key = state.curve_key()
    state.label_agreement = 0.6
    assert state.curve_key() == key
    state.attribute_strength = 0.15
    assert state.curve_key() != key


def test_more_seeds_narrow_the_bars_of_the_same_curve():
    state = state_of(n_seeds=2, methods=["LOGREG"], method="LOGREG")
    collect = state.curve_collector()
    for item in trace_costs(state.curve_request()):
        collect([item])
    assert state.curve_request() is None
    line = state.curve.line("LOGREG")
    assert [value for value, _ in line] == [round(0.5 + 0.05 * k, 2) for k in range(11)]
    assert {summary.n_results for _, summary in line} == {6}


def test_sensors_have_a_curve_over_occupant_cost_and_own_graphs_have_none():
    assert state_of("sensors").curve_knob == "occupant_cost"
    assert state_of("own").curve_request() is None
