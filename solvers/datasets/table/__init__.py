"""Tables from people: any CSV, Excel, Arrow or Parquet file with a column of labels."""

from .files import TableFile, head_table, open_table, opening_table
from .preview import (
    ColumnPlan,
    ColumnPreview,
    Role,
    TablePreview,
    planned_columns,
    preview_table,
)
from .reader import from_frame, read_table, reading_options, written_table
from .roles import usual_positive
from .workbook import sheet_names

__all__ = [
    "ColumnPlan",
    "ColumnPreview",
    "Role",
    "TableFile",
    "TablePreview",
    "from_frame",
    "head_table",
    "open_table",
    "opening_table",
    "planned_columns",
    "preview_table",
    "read_table",
    "reading_options",
    "sheet_names",
    "usual_positive",
    "written_table",
]
