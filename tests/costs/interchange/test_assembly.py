"""What a document leaves open is settled in one way, and told."""

import pytest

from solvers.costs.interchange.assembly import assemble
from solvers.errors import InterchangeError
from tests.each import each
from tests.hif_cases import hif

# Two components, one without a cost; a feature that nothing links.
OPEN = hif(
    nodes=[{"node": "a"}, {"node": "b"}, {"node": "loose"}],
    edges=[{"edge": "e", "attrs": {"cost": 2}}, {"edge": "f"}],
    incidences=[{"edge": "e", "node": "a"}, {"edge": "f", "node": "b"}],
)


def test_what_is_stated_in_full_leaves_no_note():
    file = assemble(hif())
    assert file.notes == ()
    assert file.hypergraph.features == ("a", "b")
    assert file.hypergraph.component_costs.tolist() == [1.0]


def test_missing_costs_and_loose_features_are_settled_as_asked():
    file = assemble(OPEN, missing_cost=5.0, free_features=True)
    hypergraph = file.hypergraph
    costs = dict(zip(hypergraph.components, hypergraph.component_costs, strict=True))
    assert costs == {"e": 2.0, "f": 5.0, "loose": 0.0}
    assert hypergraph.cost(["loose"]) == 0.0
    assert hypergraph.kinds == ("generation", "generation", "utilisation")
    assert [note.split(":")[0] for note in file.notes] == [
        "No cost is stated for component 'f'",
        "No component is stated for feature 'loose'",
    ]
    nameless = assemble({**OPEN, "metadata": {}}, missing_cost=5.0, free_features=True)
    assert nameless.with_unit("CAD").hypergraph.unit == "CAD"


@each(
    ("options", "sentence"),
    [
        ({"free_features": True}, "No cost is stated for component 'f'"),
        ({"missing_cost": 1.0}, "No component is stated for feature 'loose'"),
    ],
)
def test_what_is_left_open_is_refused_unless_it_may_be_settled(options, sentence):
    with pytest.raises(InterchangeError) as refusal:
        assemble(OPEN, **options)
    assert sentence in str(refusal.value)


def test_without_any_cost_components_are_counted():
    file = assemble(hif(edges=[{"edge": "e"}]))
    assert file.hypergraph.unit == "components"
    assert file.hypergraph.total_cost == 1.0
    assert "each component costs 1" in file.notes[0]


def test_the_unit_that_a_caller_names_is_taken_where_the_file_names_none():
    file = assemble(hif(metadata={}), unit="CAD")
    assert file.hypergraph.unit == "CAD"
    assert file.notes == ("The file names no unit: costs are taken as CAD.",)
    assert not file.names_unit
    assert file.with_unit("ms").hypergraph.unit == "ms"
    assert assemble(hif(), unit="CAD").hypergraph.unit == "us"


def test_an_order_that_the_metadata_state_is_kept():
    ordered = hif(metadata={"unit": "us", "feature_order": ["b", "a"]})
    assert assemble(ordered).hypergraph.features == ("b", "a")


def test_a_free_feature_s_component_has_a_name_of_its_own():
    named_alike = hif(
        nodes=[{"node": "a"}, {"node": "b"}, {"node": "e"}],
    )
    found = assemble(named_alike, free_features=True).hypergraph
    assert len(set(found.components)) == 2
    assert found.components[0] == "e"


def test_an_incidence_that_stands_twice_is_refused():
    twice = hif(incidences=[{"edge": "e", "node": n} for n in ("a", "b", "a")])
    with pytest.raises(InterchangeError) as refusal:
        assemble(twice)
    assert "component 'e' and feature 'a' stands twice" in str(refusal.value)


def test_further_prices_are_those_of_the_edges_and_0_where_none_is_stated():
    priced = hif(
        metadata={
            "unit": "us",
            "charged": "time",
            "prices": [{"name": "energy", "unit": "J", "rule": "sum"}],
        },
        edges=[
            {"edge": "e", "attrs": {"cost": 1, "prices": {"energy": 4}}},
            {"edge": "f", "attrs": {"cost": 1}},
        ],
    )
    hypergraph = assemble(priced).hypergraph
    assert hypergraph.charged == "time"
    (price,) = hypergraph.prices
    assert (price.name, price.unit) == ("energy", "J")
    assert price.values.tolist() == [4.0, 0.0]


def test_what_other_programs_say_of_edges_is_passed_over_and_told():
    edges = [
        {"edge": "fft", "attrs": {"cost": 2.0, "kind": "paper", "weight": 3}},
        {"edge": "sum", "attrs": {"cost": 1.0, "kind": ["a"], "year": 1999}},
    ]
    incidences = [{"edge": "fft", "node": "fft"}, {"edge": "sum", "node": "mean"}]
    file = assemble({"edges": edges, "incidences": incidences})
    assert file.hypergraph.kinds == ("generation", "generation")
    assert file.hypergraph.component_costs.tolist() == [2.0, 1.0]
    foreign, weighed = file.notes[-2:]
    assert foreign.startswith("Kinds of edges such as 'paper' are another program's")
    assert weighed.startswith("Weights are not costs")
