"""Columns of a CSV or Parquet file, whatever they hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...errors import DataError
from ...interchange import MAX_BYTES, Source, as_text, file_name, read_bytes, shown
from ...interchange.sources import first_twin, refuse_odd_names
from .csv_file import parse_csv
from .parquet_file import parse_parquet

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["TableFile", "open_table"]


@dataclass(frozen=True, eq=False)
class TableFile:
    """Columns of a file, by name."""

    # In the order of the file; columns without a name are not among them
    columns: dict[str, pa.ChunkedArray]
    n_rows: int  # How many rows each has
    # How many columns have no name, as the row numbers that pandas writes
    nameless: int
    name: str  # Name of the file without its ending; "table" where it has none


def open_table(source: Source, max_bytes: int = MAX_BYTES) -> TableFile:
    """Return the columns of a CSV or Parquet file."""
    data = read_bytes(source, max_bytes)
    is_parquet = data.startswith(b"PAR1")
    table = parse_parquet(data) if is_parquet else parse_csv(as_text(data))
    names = [name.strip() for name in table.column_names]
    # The row numbers that pandas keeps in a Parquet file are no column either.
    named = [
        j
        for j, name in enumerate(names)
        if name and not name.startswith("__index_level_")
    ]
    kept = [names[j] for j in named]
    refuse_odd_names(kept, "column")
    twin = first_twin(kept)
    if twin is not None:
        raise DataError(
            f"Two columns are called {shown(twin)}; give every column a name of its "
            "own."
        )
    if not table.num_rows:
        raise DataError("The table has a header but no rows; give one with rows.")
    stem = file_name(source).rpartition(".")[0] or file_name(source)
    return TableFile(
        {names[j]: table.column(j) for j in named},
        table.num_rows,
        len(names) - len(named),
        stem or "table",
    )
