"""One sample's way: what is asked for, what is told, and what is refused by name."""

import numpy as np
import pytest

from solvers import FeatureHypergraph
from solvers.decisions.program import Answered, ExitIf, Fork, Program, ProgramNode
from solvers.decisions.walker import Walker
from solvers.errors import DataError
from tests.each import each

PRICES = FeatureHypergraph([[1, 1, 0], [0, 0, 1]], [2.0, 5.0], ("a", "b", "c"))


def asking(values, asked):
    return lambda name: asked.append(name) or values[name]


CASCADE = Program(
    (
        ProgramNode(
            terms=((0, (1.0,)),), buys=(0,), rule=ExitIf("size", (2.0,), (1.5,), 1)
        ),
        ProgramNode((-1.0,), ((0, (1.0,)), (2, (0.5,))), (2,), Answered()),
    )
)
TREE = Program(
    (
        ProgramNode(terms=((1, (1.0,)),), buys=(1,), rule=Fork(0.5, 1, 2)),
        ProgramNode(terms=((0, (1.0,)),), buys=(0,)),
        ProgramNode(terms=((2, (-1.0,)),), buys=(2,)),
    )
)


@each(("a", "n_stops"), [(3.0, 1), (np.nextafter(3.0, 0), 2)])
def test_a_stage_that_is_just_sure_enough_ends_the_way(a, n_stops):
    asked = []
    way = Walker(CASCADE, PRICES, "NY").walk(asking({"a": a, "c": -9.0}, asked))
    assert len(way.stops) == n_stops
    assert [stop.leaves for stop in way.stops] == [False] * (n_stops - 1) + [True]
    assert asked == list(way.features) == ["a", "c"][:n_stops]
    assert (way.label, way.cost) == (("Y", 2.0) if n_stops == 1 else ("N", 7.0))
    assert way.stops[0].said == (a,)


def test_features_of_a_question_belong_to_the_answer_behind_it():
    (stop,) = Walker(TREE, PRICES, "NY").walk({"b": 0.5, "a": 1.0}.__getitem__).stops
    assert (stop.features, stop.values.tolist()) == (("b", "a"), [0.5, 1.0])
    assert (stop.label, stop.cost) == ("Y", 2.0)  # what they share is paid once


def test_sums_that_are_added_up_are_walked_in_plain_python():
    both = Program((*TREE.nodes[1:],), roots=(0, 1), divisor=2.0, offset=-1.0)
    walker = Walker(both, PRICES, "NY")
    way = walker.walk({"a": 3.0, "c": 0.5}.__getitem__)
    assert way.label == walker.decide({"a": 3.0, "c": 0.5}.__getitem__) == "Y"
    assert walker.decide({"a": 3.0, "c": 1.5}.__getitem__) == "N"
    assert (way.features, way.cost) == (("a", "c"), 7.0)


@each("program", [CASCADE, TREE], ids=["cascade", "tree"])
@each("odd", [np.nan, np.inf, None, "loud"])
def test_what_is_no_finite_number_is_refused_by_name(program, odd):
    walker = Walker(program, PRICES, "NY")
    name = walker.walk({"a": 0.0, "b": 0.0, "c": 0.0}.__getitem__).features[0]
    with pytest.raises(DataError, match=f"for feature '{name}'"):
        walker.decide({"a": 0.0, "b": 0.0, "c": 0.0, name: odd}.__getitem__)
