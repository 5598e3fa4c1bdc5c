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
from .draft import END, MAX_PARENTS, MAX_STATES, NetworkDraft, Tokens, shaped
from .network import BayesianNetwork


def network_from_net(text: str) -> BayesianNetwork:
    """Return the network that a NET text describes.

    Examples
    --------
    >>> coin = 'net { } node c { states = ("h" "t"); } '
    >>> coin += "potential ( c ) { data = ( .5 .5 ); }"
    >>> network_from_net(coin).tables["c"].tolist()
    [0.5, 0.5]
    """
    tokens = Tokens(text, "{}()[];,|=", line_comment="%")
    draft = NetworkDraft(len(text))
    potentials = []  # where they begin: their variables may come later
    while tokens.next != END:
        if tokens.takes("node"):
            _node(tokens, draft)
        elif tokens.takes("discrete"):
            tokens.expect("node", "a discrete node")
            _node(tokens, draft)
        elif tokens.takes("potential"):
            potentials.append(tokens.place)
            tokens.skip("}")
        elif tokens.takes("net"):
            tokens.skip("{")
            tokens.skip("}")
        else:
            raise InterchangeError(
                f"The file has {tokens.shown} where NET has net, node or potential of "
                "discrete variables; check the format."
            )
    for place in potentials:
        tokens.go(place)
        _potential(tokens, draft)
    return draft.network()


def _node(tokens: Tokens, draft: NetworkDraft) -> None:
    name = tokens.name("the name of a node")
    where = f"node {shown(name)}"
    states: list[str] = []
    tokens.expect("{", where)
    while not tokens.takes("}"):
        attribute = tokens.name(where)
        tokens.expect("=", where)
        if attribute != "states":
            tokens.skip(";")
            continue
        tokens.expect("(", where)
        parts = tokens.names(")", where, MAX_STATES)
        states = [state for part in parts for state in part]
        tokens.expect(";", where)
    draft.add_variable(name, states)


def _potential(tokens: Tokens, draft: NetworkDraft) -> None:
    tokens.expect("(", "a potential")
    name = draft.known(tokens.name("a potential"))
    where = f"the potential of {shown(name)}"
    parents: list[str] = []
    tokens.takes("|")
    for part in tokens.names(")", where, MAX_PARENTS):
        parents += map(draft.known, part)
    shape = draft.shape(name, parents)
    tokens.expect("{", where)
    while not tokens.takes("}"):
        attribute = tokens.name(where)
        tokens.expect("=", where)
        if attribute != "data":
            tokens.skip(";")
            continue
        numbers = np.array(tokens.numbers(";", where, skipped="(),"))
        draft.add_table(name, parents, shaped(numbers, shape, name))
