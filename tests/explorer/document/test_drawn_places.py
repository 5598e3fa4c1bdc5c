"""Components stand above what they are components of."""

from hypothesis import given, settings

from explorer.document.hypergraph_layout import places
from tests.strategies import hypergraphs


@settings(max_examples=25)
@given(hypergraphs())
def test_components_stand_above_their_features(hypergraph):
    components, features = places(hypergraph)
    rows, columns = hypergraph.incidence.nonzero()
    assert (components[rows, 1] < features[columns, 1]).all()  # y grows downwards
