"""Nodes of several values answer by the lead of the best, and roots are added up."""

from solvers.decisions.basket import Basket, FeatureValues
from solvers.decisions.machine import prepared_nodes, run_policy
from tests.each import each


def run(nodes, values, roots=(0,), n_outputs=2):
    ready = prepared_nodes(nodes, roots, 0, {}, {}, {})
    row = Basket(FeatureValues(dict(zip("ab", values, strict=False))))
    return run_policy(ready, roots, n_outputs, row), row


def stage(kind, least, units=(1.0, 1.0)):
    """Weighs two columns as they are, and goes on to an answer that nobody gives."""
    terms = (("a", (1.0, 0.0)), ("b", (0.0, 1.0)))
    first = {"base": (0.0, 0.0), "terms": terms, "exit": (kind, units, least, 1)}
    return [first, {"base": (-7.0, -7.0)}]


@each(
    ("kind", "least", "values", "is_sure"),
    [
        ("gap", (2.0, 3.0), (5.0, 3.0), True),
        ("gap", (2.0, 3.0), (3.0, 5.0), False),
        ("claim", (0.5, 0.5), (1.0, -1.0), True),
        ("claim", (0.5, 0.5), (1.0, 0.5), False),  # two claim the row
        ("claim", (0.5, 0.5), (-1.0, -2.0), False),  # nobody does
        ("outside", (0.5, 2.0), (3.0, 2.0), False),
        ("outside", (0.5, 2.0), (5.0, 2.0), True),
    ],
)
def test_a_stage_answers_where_the_best_is_sure(kind, least, values, is_sure):
    said, row = run(stage(kind, least), values)
    assert said == (list(values) if is_sure else [-7.0, -7.0])
    assert ("sure enough" in row.why) == is_sure


def test_answers_of_several_roots_are_added_and_said_on_the_way():
    nodes = [{"terms": (("a", (2.0,)),)}, {"terms": (("b", (1.0,)),)}]
    said, row = run(nodes, (3.0, 4.0), roots=(0, 1), n_outputs=1)
    assert said == [10.0]
    assert row.said == {1: [6.0], 2: [10.0]}
    assert "All 2 parts" in row.why


@each(("score", "goes"), [(2.0, [1.0]), (-2.0, [1.0]), (0.1, [0.0])])
def test_a_gate_sees_how_sure_a_score_is(score, goes):
    # It opens where the size of the score is above one.
    gate = {
        "base": (0.0, -1.0),
        "terms": (("a", (1.0, 0.0)),),
        "gate": ((0.0, 1.0, 0.0, 0.0), 1, 2),
    }
    assert run([gate, {"base": (0.0,)}, {"base": (1.0,)}], [score], (0,), 1)[0] == goes
