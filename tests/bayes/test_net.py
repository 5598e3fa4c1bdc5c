"""NET of Hugin: nodes and potentials in any order, other attributes passed over."""

import numpy as np
import pytest

from solvers.bayes.net import network_from_net
from solvers.errors import InterchangeError

COIN = 'net { } node c { states = ("h" "t"); } '
DIE = 'node d { states = ("low" "mid" "high"); } '
POTENTIALS = (
    "potential ( c ) { data = ( .4 .6 ); } "
    "potential ( d | c ) { data = (( .2 .3 .5 )( 1 0 0 )); }"
)
TABLE = np.array([[0.2, 0.3, 0.5], [1, 0, 0]])


def test_the_own_state_of_a_potential_changes_fastest():
    network = network_from_net(COIN + DIE + POTENTIALS)
    assert network.parents["d"] == ("c",)
    assert network.tables["d"] == pytest.approx(TABLE)


def test_a_potential_may_stand_before_its_nodes():
    network = network_from_net("net { } " + POTENTIALS + DIE + COIN)
    assert network.tables["d"] == pytest.approx(TABLE)


def test_of_several_parents_the_last_one_changes_before_the_first():
    text = COIN + 'node e { states = ("a" "b"); } node f { states = ("x" "y"); } '
    text += "potential ( c ) { data = ( .5 .5 ); } potential ( e ) { data = (.5 .5); } "
    text += (
        "potential ( f | c e ) { data = ((( .1 .9 )( .2 .8 ))(( .3 .7 )( .4 .6 ))); }"
    )
    network = network_from_net(text)
    assert network.parents["f"] == ("c", "e")
    assert network.tables["f"][:, :, 0] == pytest.approx(
        np.array([[0.1, 0.2], [0.3, 0.4]])
    )


def test_other_attributes_and_comments_are_passed_over():
    text = COIN.replace("states", 'label = "coin"; position = (1 2); states')
    text += "% what a line says after a percent sign\n"
    text += "potential ( c ) { model_nodes = (); data = ( .5 .5 ); }"
    assert network_from_net(text).tables["c"].tolist() == [0.5, 0.5]


def test_a_discrete_node_is_a_node():
    text = COIN.replace("node", "discrete node") + "potential ( c ) { data = ( 1 0 ); }"
    assert network_from_net(text).states == {"c": ("h", "t")}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (COIN + "utility u { }", "has 'utility' where NET has net, node or potential"),
        (COIN + "decision d { }", "has 'decision' where NET has"),
        (COIN + "potential ( x ) { data = ( 1 ); }", "speaks of 'x', which is not a"),
        (COIN + "potential ( c ) { data = ( 1 ); }", "lists 1 numbers, but its"),
        (COIN + "node c { }", "Two variables are called 'c'"),
        ("node c { }", "'c' has no states"),
    ],
)
def test_what_is_no_discrete_network_is_refused_with_a_sentence(text, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        network_from_net(text)
