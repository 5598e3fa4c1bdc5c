"""Tables from people: any CSV or Parquet file with a column of labels."""

from .preview import ColumnPreview, TablePreview, preview_table
from .reader import read_table

__all__ = ["ColumnPreview", "TablePreview", "preview_table", "read_table"]
