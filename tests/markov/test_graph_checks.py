"""Bad parts of a graph are refused with a sentence."""

import numpy as np
import pytest

from solvers.errors import DataError, ThriftscopeError
from solvers.markov import CostGraph
from tests.each import each
from tests.markov.graph_parts import parts, priced


@each(
    ("changed", "sentence"),
    [
        ({"attributes": [1.0, 2.0]}, r"attributes have shape \(2,\); give one row"),
        ({"attributes": [["a"], ["b"]]}, "The attributes are not numbers"),
        ({"attributes": [[1.0], [np.nan]]}, r"The attributes hold nan at \[1, 0\]"),
        ({"edges": [[0, 2]]}, "An edge ends in node 2; nodes run from 0 to 1"),
        ({"edges": [[0, -1]]}, "An edge ends in node -1"),
        ({"edges": [[1, 1]]}, "Edge 0 links node 1 with itself"),
        ({"edges": [[0, 1], [1, 0]]}, "Nodes 0 and 1 are linked twice"),
        ({"edges": [[0.5, 1]]}, "give whole numbers, one row of two ends"),
        ({"edges": [0, 1]}, r"The edges have shape \(2,\)"),
        ({"labels": [0, 2]}, "A node is labelled 2; labels run from 0 to 1"),
        ({"labels": [0]}, r"2 nodes, but labels of shape \(1,\)"),
        ({"labels": [0.5, 1]}, "give whole numbers from 0 to 1"),
        ({"node_costs": np.zeros((3, 2, 2))}, r"give \(2, L, L\), indexed"),
        ({"node_costs": np.zeros((2, 1, 1))}, "for 1 label; give two labels or more"),
        ({"node_costs": np.ones((2, 2, 2))}, "Node 0 pays 1 for the right label 0"),
        (
            {"node_costs": [[[0, -1], [1, 0]]] * 2},
            "A mistake on node 0 costs -1; a cost is 0 or more",
        ),
        (
            {"node_costs": [[[0, np.inf], [1, 0]]] * 2},
            r"The node costs hold inf at \[0, 0, 1\]",
        ),
        ({"edge_costs": np.zeros((1, 2, 2))}, r"give \(1, 2, 2, 2, 2\), indexed"),
        (
            {"edge_costs": priced((0, 1, 0, 1, 0), 1.0)},
            r"Edge 0 pays 1 for the right labels \(1, 0\)",
        ),
        (
            {"edge_costs": priced((0, 1, 0, 0, 0), -2.0)},
            "A mistake on edge 0 costs -2",
        ),
        ({"node_names": ("a", "a")}, "1 different node names for 2 nodes"),
        ({"label_names": ("a",)}, "1 different label names for 2 labels"),
        ({"positions": [[0.0, 1.0]]}, r"The positions have shape \(1, 2\)"),
    ],
)
def test_bad_parts_are_refused_with_a_sentence(changed, sentence):
    with pytest.raises(DataError, match=sentence) as caught:
        CostGraph(**parts(**changed))
    assert isinstance(caught.value, ThriftscopeError)
