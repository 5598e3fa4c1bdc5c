"""What is too large or damaged is refused in one sentence."""

import pytest

from solvers.datasets.table.bounds import (
    MAX_CELLS,
    MAX_UNPACKED,
    refuse_bomb,
    refuse_huge_shape,
    whole_file,
)
from solvers.errors import InterchangeError
from tests.each import each


@each(("n", "m", "what"), [(1, 20_001, "columns"), (10, 10, "cells")])
def test_a_table_too_large_is_refused_before_it_is_read(n, m, what):
    with pytest.raises(
        InterchangeError, match=f"at most .* {what} are read|{what}; at"
    ):
        refuse_huge_shape(n, m, max_cells=99)


def test_who_allows_more_cells_allows_more_bytes_and_is_told_how_many():
    refuse_bomb(2 * MAX_UNPACKED, 2 * MAX_CELLS)
    with pytest.raises(InterchangeError, match=f"at most {2 * MAX_UNPACKED:,} are"):
        refuse_bomb(2 * MAX_UNPACKED + 1, 2 * MAX_CELLS)


def test_a_damage_is_told_and_a_refusal_stays_what_it_is():
    said = (
        r"^The file is not Arrow, or only a part of it \('no end'\); export it again.$"
    )
    with (
        pytest.raises(InterchangeError, match=said),
        whole_file("not Arrow", "export it again", OSError, ValueError),
    ):
        raise OSError("no end")
    with (
        pytest.raises(InterchangeError, match="too many"),
        whole_file("not Arrow", "export it again", ValueError),
    ):
        raise InterchangeError("too many")
