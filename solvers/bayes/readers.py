"""Networks from files: our own JSON, BIF, XMLBIF, NET and UAI.

All are read here, in linear time and in memory that the file's length bounds. pyAgrum
takes other numbers from NET and UAI, and does not come back from some broken files
(docs/methods/eca_trim.md): tests compare with it. The extra ``networks`` is pgmpy, of
which only the files of the classic networks are used.
"""

from __future__ import annotations

import gzip
import importlib.util
import io
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from ..checks import lack_of, refuse_unknown
from ..costs.interchange.sources import (
    as_text,
    read_bytes,
    refuse_no_text,
    sample_data,
)
from ..errors import InterchangeError, NetworkError, shown
from .classifier import BayesianClassifier
from .network import BayesianNetwork
from .network_json import classifier_from_json, model_from_json, network_from_json
from .text_formats import network_from_bif, network_from_net, network_from_uai
from .xmlbif import network_from_xmlbif

NetworkFormat: TypeAlias = Literal["json", "bif", "xmlbif", "uai", "net"]

# Decompressed; the largest classic network has 6 MB.
MAX_BYTES = 16_000_000
_SMALLER = "choose a smaller one"
_SUFFIXES: Mapping[str, NetworkFormat] = {
    ".json": "json",
    ".bif": "bif",
    ".xmlbif": "xmlbif",
    ".xml": "xmlbif",
    ".bifxml": "xmlbif",
    ".uai": "uai",
    ".net": "net",
}
_OF_GENIE = (".dsl", ".xdsl")
_READERS: Mapping[NetworkFormat, Callable[[str], BayesianNetwork]] = {
    "json": network_from_json,
    "bif": network_from_bif,
    "xmlbif": network_from_xmlbif,
    "uai": network_from_uai,
    "net": network_from_net,
}

BUNDLED = ("quiz", "fig3")
CLASSICS = (
    "alarm",
    "andes",
    "asia",
    "barley",
    "cancer",
    "child",
    "earthquake",
    "hailfinder",
    "hepar2",
    "insurance",
    "pathfinder",
    "pigs",
    "sachs",
    "survey",
    "water",
    "win95pts",
)


def read_network(path: str | Path) -> BayesianNetwork:
    """Return the network in a file, whose name says its format."""
    path = Path(path)
    kind = _format_of(path.name)
    return read_network_text(_text(path), kind)


def read_model(data: bytes, name: str) -> BayesianNetwork | BayesianClassifier:
    """Return what the bytes of a file describe, a classifier where its JSON has one.

    Parameters
    ----------
    data : bytes
        The content of a file; it may be compressed with gzip.
    name : str
        Name of the file; what it ends in says its format.

    Returns
    -------
    BayesianNetwork or BayesianClassifier

    Raises
    ------
    InterchangeError
        If the file is too large or is not of that format.
    NetworkError
        If what it describes is no network.
    """
    if not data:  # whatever it is called
        refuse_no_text(data)
    kind = _format_of(name)
    text = _decoded(data, name)
    return model_from_json(text) if kind == "json" else read_network_text(text, kind)


def _format_of(name: str) -> NetworkFormat:
    suffix = Path(name.lower().removesuffix(".gz")).suffix
    if suffix in _OF_GENIE:
        raise InterchangeError(
            f"{shown(name)} is a file of GeNIe, which is not read; save the network "
            "there as one of Hugin, .net."
        )
    kind = _SUFFIXES.get(suffix)
    if kind is None:
        raise InterchangeError(
            f"{shown(name)} does not say its format; name it .json, .bif, .xmlbif, "
            ".uai or .net."
        )
    return kind


def read_network_text(text: str, format: NetworkFormat) -> BayesianNetwork:
    """Return the network that a text describes."""
    if format not in get_args(NetworkFormat):
        known = ", ".join(get_args(NetworkFormat))
        raise InterchangeError(f"The format is {shown(format)}; use one of {known}.")
    if len(text) > MAX_BYTES:
        raise InterchangeError(
            f"The file has {len(text)} characters; networks of up to {MAX_BYTES} are "
            "opened."
        )
    return _READERS[format](text)


def classic_network(name: str) -> BayesianNetwork:
    """Return a classic network by name, from the files that pgmpy ships.

    Parameters
    ----------
    name : str
        One of `CLASSICS`, say "alarm" or "win95pts".

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    NetworkError
        If the name is unknown or pgmpy is missing.
    """
    refuse_unknown(name, CLASSICS, "classic network", NetworkError)
    found = importlib.util.find_spec("pgmpy")
    if found is None or found.origin is None:
        raise NetworkError(lack_of("pgmpy", "networks", "A classic network"))
    path = Path(found.origin).parent / "utils" / "example_models" / f"{name}.bif.gz"
    if not path.is_file():
        raise NetworkError(
            f"This version of pgmpy ships no network {shown(name)}; install pgmpy 1.1."
        )
    return read_network(path)


def bundled_classifier(name: str) -> BayesianClassifier:
    """Return one of the paper's examples: "quiz" (Fig. 1) or "fig3" (Fig. 3).

    Parameters
    ----------
    name : str
        One of `BUNDLED`.

    Returns
    -------
    BayesianClassifier
    """
    refuse_unknown(name, BUNDLED, "bundled network", NetworkError)
    return classifier_from_json(_text(sample_data("networks", f"{name}.json")))


def _text(path: Path) -> str:
    return _decoded(read_bytes(path, MAX_BYTES, _SMALLER), path.name)


def _decoded(data: bytes, name: str) -> str:
    try:
        if data[:2] == b"\x1f\x8b":
            # Read no more than is allowed: a small file may unpack to a huge one.
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InterchangeError(
            f"{shown(name)} cannot be read ({error}); choose another file."
        ) from error
    return as_text(read_bytes(data, MAX_BYTES, _SMALLER))
