"""Networks and classifiers as JSON: plain, small, and safe to open from anyone.

::

    {"format": "thriftscope-network", "version": 1,
     "variables": [
       {"name": "C", "states": ["+", "-"], "table": [0.1, 0.9]},
       {"name": "Q1", "states": ["+", "-"], "parents": ["C"],
        "table": [[0.9, 0.1], [0.3, 0.7]]}],
     "classifier": {"target": "C", "positive_state": "+", "features": ["Q1"],
                    "threshold": 0.07}}

A table has one level for each parent, in order, and a last one for the variable's own
states. "classifier" may be left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..costs.interchange.sources import strict_json
from ..errors import InterchangeError
from .classifier import BayesianClassifier
from .draft import MAX_VARIABLES
from .network import BayesianNetwork

FORMAT = "thriftscope-network"
VERSION = 1
MAX_CHARACTERS = 16_000_000
MAX_NAME = 200
# A table has a level for each parent, and the file a few more around it.
MAX_DEPTH = 64
_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"?', re.DOTALL)


def network_to_json(network: BayesianNetwork) -> str:
    """Return a network as JSON.

    Parameters
    ----------
    network : BayesianNetwork
        The network.

    Returns
    -------
    str
    """
    return json.dumps(_as_document(network), indent=1, ensure_ascii=False)


def classifier_to_json(classifier: BayesianClassifier) -> str:
    """Return a classifier, with its network, as JSON.

    Parameters
    ----------
    classifier : BayesianClassifier
        The classifier.

    Returns
    -------
    str
    """
    document = _as_document(classifier.network)
    document["classifier"] = {
        "target": classifier.target,
        "positive_state": classifier.positive_state,
        "features": list(classifier.features),
        "threshold": classifier.threshold,
    }
    return json.dumps(document, indent=1, ensure_ascii=False)


def network_from_json(text: str) -> BayesianNetwork:
    """Return the network that a JSON text describes.

    Examples
    --------
    >>> coin = BayesianNetwork({"coin": ("head", "tail")}, {}, {"coin": [0.5, 0.5]})
    >>> network_from_json(network_to_json(coin)).states
    {'coin': ('head', 'tail')}
    """
    return _as_network(_parsed(text))


def model_from_json(text: str) -> BayesianNetwork | BayesianClassifier:
    """Return the classifier that a JSON text describes, or its network alone."""
    document = _parsed(text)
    return (_as_classifier if "classifier" in document else _as_network)(document)


def classifier_from_json(text: str) -> BayesianClassifier:
    """Return the classifier that a JSON text describes.

    Parameters
    ----------
    text : str
        As `classifier_to_json` writes it.

    Returns
    -------
    BayesianClassifier
    """
    return _as_classifier(_parsed(text))


def _as_classifier(document: Mapping[str, Any]) -> BayesianClassifier:
    part = document.get("classifier")
    if not isinstance(part, dict):
        raise InterchangeError(
            'The file describes no classifier; add "classifier" with "target", '
            '"positive_state", "features" and "threshold".'
        )
    threshold = part.get("threshold", 0.5)
    if isinstance(threshold, bool) or not isinstance(threshold, int | float):
        raise InterchangeError(
            f'The "threshold" is {_shown(threshold)}; write a number from 0 to 1.'
        )
    return BayesianClassifier(
        _as_network(document),
        _name(part.get("target"), "target"),
        _name(part.get("positive_state"), "positive_state"),
        _names(part.get("features"), "features"),
        threshold,
    )


def _as_document(network: BayesianNetwork) -> dict[str, Any]:
    variables = [
        {
            "name": name,
            "states": list(states),
            "parents": list(network.parents[name]),
            "table": network.tables[name].tolist(),
        }
        for name, states in network.states.items()
    ]
    return {"format": FORMAT, "version": VERSION, "variables": variables}


def _parsed(text: str) -> Mapping[str, Any]:
    if len(text) > MAX_CHARACTERS:
        raise InterchangeError(
            f"The file has {len(text)} characters; networks of up to {MAX_CHARACTERS} "
            "are opened."
        )
    _refuse_deep(text)
    document = strict_json(text)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InterchangeError(
            f'The file does not say "format": "{FORMAT}"; open a network file.'
        )
    if document.get("version") != VERSION:
        raise InterchangeError(
            f"The file is of version {_shown(document.get('version'))}; version "
            f"{VERSION} is known."
        )
    return document


def _refuse_deep(text: str) -> None:
    # Brackets in strings do not nest.
    bare = np.frombuffer(_STRING.sub("", text).encode("ascii", "ignore"), np.uint8)
    steps = np.isin(bare, [*b"[{"]).astype(np.int8) - np.isin(bare, [*b"]}"])
    if steps.cumsum(dtype=np.int32).max(initial=0) > MAX_DEPTH:
        raise InterchangeError(
            f"The file nests more than {MAX_DEPTH} levels deep; a network needs fewer."
        )


def _as_network(document: Mapping[str, Any]) -> BayesianNetwork:
    variables = document.get("variables")
    if not isinstance(variables, list) or not variables:
        raise InterchangeError('The file lists no "variables"; list at least one.')
    if len(variables) > MAX_VARIABLES:
        raise InterchangeError(
            f"The file lists {len(variables)} variables; at most {MAX_VARIABLES} are "
            "opened."
        )
    states, parents, tables = {}, {}, {}
    for variable in variables:
        if not isinstance(variable, dict):
            raise InterchangeError(
                f"A variable is {_shown(variable)}; write an object with a name, "
                "states and a table."
            )
        name = _name(variable.get("name"), "name")
        if name in states:
            raise InterchangeError(
                f"Two variables are called {_shown(name)}; rename one."
            )
        states[name] = _names(variable.get("states"), "states")
        parents[name] = _names(variable.get("parents", []), "parents")
        tables[name] = _numbers(variable.get("table"), name)
    return BayesianNetwork(states, parents, tables)


def _numbers(table: Any, name: str) -> Any:
    """Return a nested list of numbers; strings and truth values are no numbers."""
    waiting = [table]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, bool) or not isinstance(part, int | float):
            raise InterchangeError(
                f"The table of {_shown(name)} holds {_shown(part)}; write numbers."
            )
        elif abs(part) > 2:
            raise InterchangeError(
                f"The table of {_shown(name)} holds {str(part)[:20]}; a probability is "
                "a number from 0 to 1."
            )
    if not isinstance(table, list):
        raise InterchangeError(
            f"The table of {_shown(name)} is no list; write one level a parent."
        )
    return table


def _names(given: Any, what: str) -> tuple[str, ...]:
    if not isinstance(given, list):
        raise InterchangeError(f'"{what}" is {_shown(given)}; write a list of names.')
    return tuple(_name(name, what) for name in given)


def _name(given: Any, what: str) -> str:
    if not isinstance(given, str) or not given.strip() or len(given) > MAX_NAME:
        raise InterchangeError(
            f'"{what}" holds {_shown(given)}; write a name of 1 to {MAX_NAME} '
            "characters."
        )
    if any("\ud800" <= character <= "\udfff" for character in given):
        raise InterchangeError(
            f'"{what}" holds {_shown(given)}, in which half a character stands; write '
            "it whole."
        )
    return given


def _shown(given: Any) -> str:
    text = json.dumps(given, ensure_ascii=True)
    return text if len(text) <= 60 else text[:57] + "..."
