"""Networks are checked whole, and elimination is summation over the joint."""

import numpy as np
import pytest

from solvers.bayes import BayesianNetwork
from solvers.errors import NetworkError
from tests.bayes.worlds import coin
from tests.each import each


def test_parents_come_before_children():
    network = BayesianNetwork(
        {"B": ("0",), "A": ("0",)}, {"B": ("A",)}, {"A": [1.0], "B": [[1.0]]}
    )
    assert network.variables == ("A", "B")
    assert (network.roots, network.leaves) == (("A",), ("B",))


def test_tables_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        coin().tables["A"][0] = 1


def test_rows_are_scaled_to_sum_to_one():
    network = coin(tables={"A": [0.4000004, 0.6], "B": coin().tables["B"]})
    assert network.tables["A"].sum() == pytest.approx(1, abs=1e-15)


def test_rows_rounded_to_four_digits_are_scaled_and_it_is_told():
    thirds = [[0.3333, 0.3333, 0.3333], [1, 0, 0]]
    network = coin(tables={"A": [0.4, 0.6], "B": thirds})
    assert network.tables["B"] == pytest.approx(np.array([[1 / 3] * 3, [1, 0, 0]]))
    (note,) = network.notes
    assert note.startswith("A row of the table of 'B' summed to 0.9999;")
    assert coin(tables={"A": [0.4, 0.6], "B": [[0.3333333] * 3, [1, 0, 0]]}).notes == ()


@each(
    ("changes", "sentence"),
    [
        ({"states": {}, "parents": {}, "tables": {}}, "has no variable"),
        ({"states": {"A": ()}}, "'A' has no states"),
        ({"states": {"A": ("0", "0"), "B": ("0",)}}, "the state '0' twice"),
        ({"parents": {"B": ("Z",)}}, "the parent 'Z', which is not a variable"),
        ({"parents": {"B": ("A", "A")}}, "'B' has the parent 'A' twice"),
        ({"parents": {"Z": ("A",)}}, "'Z' has parents, but no states"),
        ({"parents": {"B": ("A",), "A": ("B",)}}, "run in a cycle: .* -> "),
        ({"tables": {"A": [0.4, 0.6]}}, "'B' has no probability table"),
        (
            {"tables": {"A": [0.4, 0.6], "B": [0.2, 0.3, 0.5]}},
            r"shape \(3,\); with its parents' states first .* \(2, 3\)",
        ),
        (
            {"tables": {"A": [0.4, 0.5], "B": [[1, 0, 0], [1, 0, 0]]}},
            "a row that sums to 0.9",
        ),
        ({"tables": {"A": [1.4, -0.4], "B": [[1, 0, 0]] * 2}}, "holds -0.4"),
        ({"tables": {"A": [float("nan"), 1], "B": [[1, 0, 0]] * 2}}, "holds nan"),
        ({"tables": {"A": ["x", "y"], "B": [[1, 0, 0]] * 2}}, "not made of numbers"),
    ],
)
def test_bad_networks_are_refused_with_a_sentence(changes, sentence):
    with pytest.raises(NetworkError, match=sentence):
        coin(**changes)
