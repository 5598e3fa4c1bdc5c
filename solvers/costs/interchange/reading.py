"""Any of the files that describe a hypergraph, told apart by what they hold."""

from __future__ import annotations

from typing import Literal

from ...errors import InterchangeError
from .assembly import HypergraphFile, assemble
from .hif import parse_hif
from .sources import MAX_BYTES, Source, as_text, file_name, read_bytes, shown
from .spreadsheet import csv_layout, parse_costs, parse_incidence


def read_hypergraph(
    source: Source,
    name: str | None = None,
    *,
    missing_cost: float | None = None,
    free_features: bool = False,
    unit: str = "us",
    decimal: Literal["", ".", ","] = "",
    max_bytes: int = MAX_BYTES,
) -> HypergraphFile:
    r"""Read a hypergraph from HIF JSON, an incidence CSV or a CSV of costs.

    Parameters
    ----------
    source : path or bytes
        The file or its content.
    name : str, optional
        Name of the file, where its content comes as bytes. What a file holds counts
        more than how its name ends.
    missing_cost : float, optional
        Cost of edges of HIF without one, as in
        :func:`solvers.costs.interchange.from_hif`.
    free_features : bool, default=False
        Whether nodes of HIF without an edge get a component of cost 0.
    unit : str, default="us"
        Unit of the costs where the file names none.
    decimal : {"", ".", ","}, default=""
        What parts decimals where a column of costs does not tell it.
    max_bytes : int, default=MAX_BYTES
        The most to read.

    Returns
    -------
    HypergraphFile
        The hypergraph, and notes on what the file left open.

    Raises
    ------
    InterchangeError
        If the file is none of these, or too large.
    HypergraphError
        If what it says makes no hypergraph.

    Examples
    --------
    >>> file = read_hypergraph(b"feature,cost_ms\npeak,3\nmean,0.5\n")
    >>> file.hypergraph
    FeatureHypergraph(2 features, 2 components, total cost 3.5 ms)
    >>> file.layout
    'costs'
    """
    text = as_text(read_bytes(source, max_bytes))
    called = file_name(source) if name is None else name
    layout = csv_layout(text)
    if layout == "incidence":
        return parse_incidence(text, unit, decimal)
    if layout == "costs":
        return parse_costs(text, unit, decimal)
    if text.lstrip()[0] in "{[" or called.lower().endswith((".json", ".hif")):
        return assemble(
            parse_hif(text),
            missing_cost=missing_cost,
            free_features=free_features,
            unit=unit,
        )
    raise InterchangeError(
        f"The file {shown(called)} begins with {shown(text[:30])}, which is no "
        'hypergraph; give HIF JSON, CSV that begins with "component,kind,cost_us" or '
        '"feature,cost_us", or a line "name: cost" for each feature.'
    )
