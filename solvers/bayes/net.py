"""NET of Hugin: nodes with named states, and potentials as nested lists of numbers.

::

    net { }
    node rain { states = ("yes" "no"); }
    node wet { states = ("yes" "no"); }
    potential ( rain ) { data = ( 0.2 0.8 ); }
    potential ( wet | rain ) { data = (( 0.9 0.1 )( 0.05 0.95 )); }

The variable's own state changes fastest. Other attributes are passed over; nodes of
decisions, of utilities and of continuous variables are refused.

References
----------
Hugin Expert, "The Hugin file format", in: Hugin API Reference Manual, 2011.
"""

from __future__ import annotations

import numpy as np

from ..errors import InterchangeError, shown
from .draft import MAX_PARENTS, MAX_STATES, NetworkDraft, shaped
from .network import BayesianNetwork
from .words import END, Words

__all__ = ["network_from_net"]


def network_from_net(text: str) -> BayesianNetwork:
    """Return the network that a NET text describes.

    Examples
    --------
    >>> coin = 'net { } node c { states = ("h" "t"); } '
    >>> coin += "potential ( c ) { data = ( .5 .5 ); }"
    >>> network_from_net(coin).tables["c"].tolist()
    [0.5, 0.5]
    """
    words = Words(text, "{}();,|=", line_comment="%")
    draft = NetworkDraft(len(text))
    potentials = []  # where they begin: their variables may come later
    while words.next != END:
        if words.takes("node"):
            _node(words, draft)
        elif words.takes("discrete"):
            words.expect("node", "a discrete node")
            _node(words, draft)
        elif words.takes("potential"):
            potentials.append(words.place)
            words.skip("}")
        elif words.takes("net"):
            words.skip("{")
            words.skip("}")
        else:
            raise InterchangeError(
                f"The file has {words.shown} where NET has net, node or potential of "
                "discrete variables; check the format."
            )
    for place in potentials:
        words.go(place)
        _potential(words, draft)
    return draft.network()


def _node(words: Words, draft: NetworkDraft) -> None:
    name = words.name("the name of a node")
    where = f"node {shown(name)}"
    states: list[str] = []
    words.expect("{", where)
    while not words.takes("}"):
        attribute = words.name(where)
        words.expect("=", where)
        if attribute != "states":
            words.skip(";")
            continue
        words.expect("(", where)
        parts = words.names(")", where, MAX_STATES)
        states = [state for part in parts for state in part]
        words.expect(";", where)
    draft.add_variable(name, states)


def _potential(words: Words, draft: NetworkDraft) -> None:
    words.expect("(", "a potential")
    name = draft.known(words.name("a potential"))
    where = f"the potential of {shown(name)}"
    parents: list[str] = []
    words.takes("|")
    for part in words.names(")", where, MAX_PARENTS):
        parents += map(draft.known, part)
    shape = draft.shape(name, parents)
    words.expect("{", where)
    while not words.takes("}"):
        attribute = words.name(where)
        words.expect("=", where)
        if attribute != "data":
            words.skip(";")
            continue
        numbers = np.array(words.numbers(";", where, skipped="(),"))
        draft.add_table(name, parents, shaped(numbers, shape, name))
