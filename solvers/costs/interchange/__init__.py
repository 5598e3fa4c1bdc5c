"""Hypergraphs in and out: HIF JSON, incidence CSV, and one cost a column.

HIF is the Hypergraph Interchange Format that XGI and HyperNetX read and write. The
layouts are described with an example each in ``docs/files.md``.
"""

from .csv_rows import guarded, unguarded
from .hif import from_hif, hif_text, read_hif, to_hif, write_hif
from .reading import HypergraphFile, read_hypergraph
from .sources import (
    MAX_BYTES,
    Source,
    as_text,
    file_name,
    listed,
    read_bytes,
    shown,
    write_text,
    write_whole,
)
from .spreadsheet import (
    is_spreadsheet_size,
    read_costs_csv,
    read_incidence_csv,
    to_incidence_csv,
    write_incidence_csv,
)

__all__ = [
    "MAX_BYTES",
    "HypergraphFile",
    "Source",
    "as_text",
    "file_name",
    "from_hif",
    "guarded",
    "hif_text",
    "is_spreadsheet_size",
    "listed",
    "read_bytes",
    "read_costs_csv",
    "read_hif",
    "read_hypergraph",
    "read_incidence_csv",
    "shown",
    "to_hif",
    "to_incidence_csv",
    "unguarded",
    "write_hif",
    "write_incidence_csv",
    "write_text",
    "write_whole",
]
