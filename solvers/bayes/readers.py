"""Networks from files: our own JSON and UAI; BIF, XMLBIF and NET through pgmpy.

pgmpy is the extra ``networks``. It is slow to import, so that is done only when such a
file is opened. Its readers give the tables; its models are never built.
"""

from __future__ import annotations

import gzip
import importlib
import io
import math
import re
import warnings
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from ..errors import InterchangeError, NetworkError
from .classifier import BayesianClassifier
from .network import BayesianNetwork
from .network_json import (
    classifier_from_json,
    describes_classifier,
    network_from_json,
)
from .uai import network_from_uai

__all__ = [
    "BUNDLED",
    "CLASSICS",
    "NetworkFormat",
    "bundled_classifier",
    "classic_network",
    "read_model",
    "read_network",
    "read_network_text",
]

NetworkFormat: TypeAlias = Literal["json", "bif", "xmlbif", "uai", "net"]

# Decompressed; the largest classic network has 6 MB.
MAX_BYTES = 16_000_000
_SUFFIXES: Mapping[str, NetworkFormat] = {
    ".json": "json",
    ".bif": "bif",
    ".xmlbif": "xmlbif",
    ".xml": "xmlbif",
    ".bifxml": "xmlbif",
    ".uai": "uai",
    ".net": "net",
}
_READERS = {"bif": "BIFReader", "xmlbif": "XMLBIFReader", "net": "NETReader"}

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


def read_network(
    path: str | Path, format: NetworkFormat | None = None
) -> BayesianNetwork:
    """Return the network in a file.

    Parameters
    ----------
    path : str or Path
        The file; it may be compressed with gzip.
    format : {"json", "bif", "xmlbif", "uai", "net"}, optional
        By default what the name of the file ends in.

    Returns
    -------
    BayesianNetwork

    Raises
    ------
    InterchangeError
        If the file cannot be opened, is too large or is not of that format.
    NetworkError
        If what it describes is no network, or pgmpy is needed and missing.
    """
    path = Path(path)
    kind = format or _format_of(path.name)
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
        If what it describes is no network, or pgmpy is needed and missing.
    """
    kind = _format_of(name)
    text = _decoded(data, name)
    if kind == "json" and describes_classifier(text):
        return classifier_from_json(text)
    return read_network_text(text, kind)


def _format_of(name: str) -> NetworkFormat:
    kind = _SUFFIXES.get(Path(name.lower().removesuffix(".gz")).suffix)
    if kind is None:
        raise InterchangeError(
            f"{name[:60]!r} does not say its format; name it .json, .bif, .xmlbif, "
            ".uai or .net, or give the format."
        )
    return kind


def read_network_text(text: str, format: NetworkFormat) -> BayesianNetwork:
    """Return the network that a text describes.

    Parameters
    ----------
    text : str
        The content of a file.
    format : {"json", "bif", "xmlbif", "uai", "net"}
        What it is written in.

    Returns
    -------
    BayesianNetwork
    """
    if format not in get_args(NetworkFormat):
        known = ", ".join(get_args(NetworkFormat))
        raise InterchangeError(f"The format is {format!r}; use one of {known}.")
    if len(text) > MAX_BYTES:
        raise InterchangeError(
            f"The file has {len(text)} characters; networks of up to {MAX_BYTES} are "
            "opened."
        )
    if format == "json":
        return network_from_json(text)
    if format == "uai":
        return network_from_uai(text)
    return _through_pgmpy(text, format)


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
    if name not in CLASSICS:
        raise NetworkError(
            f"There is no classic network {name!r}; choose from {', '.join(CLASSICS)}."
        )
    package = Path(str(_pgmpy("pgmpy").__file__)).parent
    path = package / "utils" / "example_models" / f"{name}.bif.gz"
    if not path.is_file():
        raise NetworkError(
            f"This version of pgmpy ships no network {name!r}; install pgmpy 1.1."
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
    if name not in BUNDLED:
        raise NetworkError(
            f"There is no bundled network {name!r}; choose from {', '.join(BUNDLED)}."
        )
    return classifier_from_json(_text(_sample_data() / "networks" / f"{name}.json"))


def _sample_data() -> Path:
    """Return the folder of sample data, inside the package when it is installed."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "sample_data"
    return inside if inside.is_dir() else package.parent / "sample_data"


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return _decoded(file.read(MAX_BYTES + 1), path.name)
    except OSError as error:
        raise InterchangeError(
            f"{path.name!r} cannot be read ({error}); choose another file."
        ) from error


def _decoded(data: bytes, name: str) -> str:
    shown = name[:60]
    try:
        if data[:2] == b"\x1f\x8b":
            # Read no more than is allowed: a small file may unpack to a huge one.
            data = gzip.GzipFile(fileobj=io.BytesIO(data)).read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise InterchangeError(
            f"{shown!r} cannot be read ({error}); choose another file."
        ) from error
    if len(data) > MAX_BYTES:
        raise InterchangeError(
            f"{shown!r} holds more than {MAX_BYTES} bytes; choose a smaller one."
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InterchangeError(
            f"{shown!r} is not UTF-8 text; save it as UTF-8."
        ) from error


def _pgmpy(module: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ImportError as error:
        raise NetworkError(
            "This file is read by pgmpy, which is not installed; run "
            "pip install 'thriftscope[networks]'."
        ) from error


def _through_pgmpy(text: str, format: NetworkFormat) -> BayesianNetwork:
    if format == "xmlbif" and re.search(r"<!ENTITY", text, re.IGNORECASE):
        raise InterchangeError("The file declares XML entities; remove them.")
    if format == "bif":
        _refuse_endless_tables(text)
    reader_class = getattr(_pgmpy("pgmpy.readwrite"), _READERS[format])
    # pgmpy's parsers fail in many ways on a file that is not theirs.
    failures = (
        ArithmeticError,
        AttributeError,
        LookupError,
        MemoryError,
        RecursionError,
        SyntaxError,
        TypeError,
        ValueError,
        _pgmpy("pyparsing").ParseBaseException,
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader = reader_class(string=text)
            columns = (
                reader.variable_CPD if format == "xmlbif" else reader.variable_cpds
            )
            return _converted(reader.variable_states, reader.variable_parents, columns)
    except NetworkError:
        raise
    except failures as error:
        raise InterchangeError(
            f"The file is not {format.upper()} that can be read ({str(error)[:80]}); "
            "check the format."
        ) from error


def _refuse_endless_tables(text: str) -> None:
    """Refuse tables of more numbers than are listed: pgmpy would make room for them."""
    counts = {
        name.strip().lower(): len(states.split("," if "," in states else None))
        for name, states in re.findall(
            r"variable\s+([^{}]{1,200})\{[^{}]*\{([^{}]*)\}", text
        )
    }
    for header in re.findall(r"probability\s*\(([^(){}]*)\)", text):
        names = [name.strip().lower() for name in re.split(r"[|,]", header)]
        size = math.prod(counts.get(name, 1) for name in names)
        if size > 10 * len(text):
            raise InterchangeError(
                f"The table of {names[0][:60]!r} would have {float(size):.1e} numbers, "
                "more than the file can list; check its parents."
            )


def _converted(
    states: Mapping[str, Sequence[str]],
    parents: Mapping[str, Sequence[str]],
    columns: Mapping[str, Any],
) -> BayesianNetwork:
    """Return a network from tables with one row a state and one column a condition."""
    tables = {}
    for name, table in columns.items():
        shape = [len(states[parent]) for parent in parents[name]]
        tables[name] = np.asarray(table).T.reshape([*shape, len(states[name])])
    return BayesianNetwork(
        {name: tuple(of) for name, of in states.items()},
        {name: tuple(of) for name, of in parents.items()},
        tables,
    )
