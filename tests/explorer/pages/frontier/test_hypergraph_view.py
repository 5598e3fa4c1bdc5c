"""The hypergraph beside the frontier names its features where there is room."""

from explorer.pages.frontier.hypergraph_view import HypergraphView
from explorer.pages.frontier.state import FrontierState
from explorer.session.state import bundled
from tests.each import each


def labels(name):
    view = HypergraphView(state=FrontierState(dataset=bundled(name), methods=["l1"]))
    places = {}
    layers = {one.name: one.data_source.data for one in view.figure.renderers}
    for named in {"names", "lit names"} & set(layers):
        at = zip(layers[named]["x"], layers[named]["y"], strict=True)
        places |= dict(zip(at, layers[named]["text"], strict=True))
    features = layers["features"]
    at = zip(features["x"], features["y"], strict=True)
    return [places.get(one, "") for one in at]


def test_few_features_have_their_names_below_them_whole():
    names = bundled("published").feature_names
    assert [label.replace("\n", "") for label in labels("published")] == list(names)
    assert (
        max(len(line) for label in labels("published") for line in label.split()) < 11
    )


@each("name", ["signals", "breast_cancer"])
def test_many_features_have_none_for_they_would_lie_on_each_other(name):
    assert set(labels(name)) == {""}
