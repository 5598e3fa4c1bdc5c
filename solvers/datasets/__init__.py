"""Tables with labels and prices, each from a maker of its own."""

from .base import Dataset
from .table import ColumnPreview, TablePreview, preview_table, read_table

__all__ = ["ColumnPreview", "Dataset", "TablePreview", "preview_table", "read_table"]
