"""What the paper prints stands beside what its tables give."""

import pytest

from tests.explorer.pages.trimming.asked import opened


def test_what_is_printed_stands_beside_what_the_tables_give():
    rows = {row.what: row.computed for row in opened("quiz").opened.published}
    assert [*rows.values()] == pytest.approx([0.2682, 0.6918, 0.9082, 0.7318])
    (row,) = opened("fig3").opened.published
    assert (row.published, row.computed) == ("0.56", pytest.approx(0.5528))
