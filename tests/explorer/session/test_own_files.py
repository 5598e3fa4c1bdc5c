"""What cannot be opened is refused before anybody waits for it."""

import pytest

from explorer.document.drawing import MAX_NODES
from explorer.session.own_files import opened_table
from solvers.errors import DataError


def wide(n_columns):
    """A table of so many columns and two rows."""
    names = ",".join(f"c{k}" for k in range(n_columns))
    row = ",".join("1" * n_columns)
    return f"{names}\n{row}\n{row}\n".encode()


def test_a_table_too_wide_to_be_drawn_is_refused_before_it_is_planned():
    most = MAX_NODES // 2
    with pytest.raises(DataError, match=f"10,001 columns; up to {most:,}"):
        next(opened_table(wide(most + 1), None))


def test_a_wide_table_is_opened():
    assert len([*opened_table(wide(1000), None)][-1].file.columns) == 1000
