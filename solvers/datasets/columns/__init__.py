"""Kinds of columns, and the numbers that methods learn from them."""

from .encoder import TableEncoder
from .schema import Column, Encoding, Gaps, Kind, TableSchema, read_kinds

__all__ = [
    "Column",
    "Encoding",
    "Gaps",
    "Kind",
    "TableEncoder",
    "TableSchema",
    "read_kinds",
]
