"""A small document in HIF, to be changed."""

__all__ = ["hif"]


def hif(**changes):
    document = {
        "network-type": "undirected",
        "metadata": {"unit": "us"},
        "nodes": [{"node": "a"}, {"node": "b"}],
        "edges": [{"edge": "e", "attrs": {"cost": 1}}],
        "incidences": [{"edge": "e", "node": "a"}, {"edge": "e", "node": "b"}],
    }
    return {**document, **changes}
