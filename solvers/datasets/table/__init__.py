"""Tables from people: any CSV, Excel, Arrow or Parquet file with a column of labels."""

from .files import TableFile, head_table, open_table, opening_table
from .labels import usual_positive
from .plan import ColumnPlan, Role, planned_columns
from .preview import ColumnPreview, TablePreview, preview_table
from .reader import from_frame, read_table
from .workbook import sheet_names
from .written import reading_options, written_table

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
