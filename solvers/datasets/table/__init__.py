"""Tables from people: any CSV, Excel, Arrow or Parquet file with a column of labels."""

from .preview import ColumnPreview, TablePreview, preview_table
from .reader import from_frame, read_table

__all__ = ["ColumnPreview", "TablePreview", "from_frame", "preview_table", "read_table"]
