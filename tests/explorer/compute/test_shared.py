"""What anybody can open is known by what made it, whoever opens it."""

from dataclasses import replace

from explorer.compute.shared import Results, data_key
from explorer.session.state import bundled
from tests.explorer.worlds import own_table


def test_a_bundled_table_is_the_same_for_all_and_a_person_s_own_is_nobody_else_s():
    heart = bundled("heart")
    assert data_key(heart) == data_key(bundled("heart")) != data_key(bundled("signals"))
    assert data_key(own_table()) is None
    graph = heart.hypergraph
    dearer = replace(graph, component_costs=2 * graph.component_costs)
    assert data_key(replace(heart, hypergraph=dearer)) is None


def test_what_was_asked_for_least_is_dropped_first():
    found = Results(most_traces=2)
    for name in ("a", "b"):
        found.traces[name] = name
    assert found.traces.get("a") == "a"
    found.traces["c"] = "c"
    assert (found.traces.get("a"), found.traces.get("b")) == ("a", None)
    found.clear()
    assert found.traces.get("a") is None
