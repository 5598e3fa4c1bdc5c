"""Tables that are no tables are refused with a sentence."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.datasets.table import preview_table, read_table
from solvers.datasets.table.bounds import MAX_COLUMNS, refuse_huge_shape
from solvers.errors import DataError, HypergraphError, InterchangeError
from tests.datasets.tables import as_csv, frame
from tests.each import each
from tests.fuzz.refusal import is_one_sentence, refusal


def csv(*rows):
    return ("\n".join(rows) + "\n").encode()


GOOD_ROWS = ["1,a", "2,b"] * 4
BAD_TABLES = [
    (b"", "The file is empty"),
    (b"\n\n", "The file is empty"),
    (b"x,y\n", "has a header but no rows"),
    (b"x,y", "has a header but no rows"),
    (csv("x,y", "1,a", "2"), "first line has 2 cells, but row 2 of the table has 1"),
    (
        csv("x,y", "1,a,", *GOOD_ROWS),
        "first line has 2 cells, but row 1 of the table h",
    ),
    (csv("x,x,y", "1,2,a"), "Two columns are called 'x'"),
    (csv("x, x,y", "1,2,a"), "Two columns are called 'x'"),
    (csv("\u00f6,o\u0308,y", "1,2,a"), "Two columns are called 'ö'"),
    (csv("x,x\u200b,y", "1,2,a"), "Two columns are called 'x'"),
    (csv("x,z", *GOOD_ROWS), "has no column 'y' .the label.; its columns are 'x', 'z'"),
    (csv("x,Y", *GOOD_ROWS), "has no column 'y'"),
    (csv("y", *"ab" * 4), "no column to learn from beside its label"),
    (csv("x,y", *["r,a", "r,b"] * 4), "no column to learn from among 'x'"),
    (csv("x,y", *["1,a", "2,a"] * 4), "Every row that is left is labelled 'a'"),
    (csv("x,y", "1,a", "2,b", "3,a"), "Class 'b' has too few rows left, 1; training"),
    (csv("x,y", *GOOD_ROWS, "inf,a"), "Column 'x' holds inf in row 9"),
    (csv("x,y", *GOOD_ROWS, "1e999,a"), "Column 'x' holds inf in row 9"),
    (csv("x,y", *[f"{k},{k}.5" for k in range(9)]), "'y' holds 0.5: it is contin"),
    (csv("x,y", *[f"{k},{k}" for k in range(99)]), "'y' holds 99 distinct values, suc"),
    (csv("x,y", *[f"{k}," for k in range(9)]), "'y' holds no value"),
    (csv("x,y", *GOOD_ROWS, *["4,"] * 9), "9 of 17 rows have no label"),
    (
        csv("x,y", *['"1,234",a', '"5,678",b'] * 4),
        "'x' holds '1,234', which may be 1.234",
    ),
    (csv("x,y", f"1,{'l' * 1001}", *GOOD_ROWS), "of 1,001 characters, too long"),
    (csv("x" * 1001 + ",y", *GOOD_ROWS), "a name of 1,001 characters"),
    (csv(",".join(f"x{k}" for k in range(20_001))), "has 20,001 columns; at most 20,0"),
    (b"a,b,c\n" + b"\n" * 10_000_000, "10,000,002 rows of 3 columns; at most 25,000"),
    (csv('x,"y', *GOOD_ROWS), "Line 1 of the table is not CSV"),
    ("x,größe\n1,a".encode("latin-1"), "not UTF-8 text: byte 4 is 0xf6"),
    ("x,y\n1,a".encode("utf-16"), "UTF-16 text"),
    (b'[{"x": 1, "y": "a"}]', "holds JSON, which is no table; save it as CSV"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"PAR1", "not Parquet, or only a part of it"),
    (b"PAR1" + b"\0" * 64 + b"PAR1", "not Parquet, or only a part of it"),
]


@each(("content", "sentence"), BAD_TABLES, ids=[s for _, s in BAD_TABLES])
def test_bad_tables_are_refused_with_a_sentence(content, sentence):
    with pytest.raises((DataError, InterchangeError), match=sentence) as refused:
        read_table(content, "y")
    assert is_one_sentence(str(refused.value))


@each(
    ("options", "sentence"),
    [
        ({"label": "kin"}, "no column 'kin' .the label.; did you mean 'kind'"),
        ({"leave_out": ["peek"]}, "no column 'peek' .to leave out.; did you mean 'pea"),
        ({"free": ["peek"]}, "no column 'peek' .at no cost."),
        ({"free": ["kind"]}, "'kind' is put to two uses"),
        ({"free": ["peak"], "leave_out": ["peak"]}, "'peak' is put to two uses"),
        ({"positive": "ugly"}, "No row is labelled 'ugly'; .* one of 'bad', 'good'"),
        ({"missing": "ignore", "costs": {}}, "missing is 'ignore'; use \"refuse\""),
        ({"costs": {"peak": 1}}, "No cost is known of columns 'loud', 'count'; make"),
        ({"costs": {"peak": "dear"}}, "cost of column 'peak' is 'dear'"),
        ({"costs": {"peak": -1}}, "'peak' costs -1"),
        ({"costs": b"feature,cost\n"}, "has a header but no rows"),
        ({"costs": {}, "hypergraph": 3}, "Both a hypergraph and costs are given"),
        ({"hypergraph": "h.json"}, "hypergraph is a str; give a FeatureHypergraph"),
        ({"max_bytes": 10}, "larger than 10 bytes"),
        ({"leave_out": ["peak", "loud", "count"]}, "no column to learn from"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(options, sentence):
    with pytest.raises(
        (DataError, HypergraphError, InterchangeError), match=sentence
    ) as refused:
        read_table(as_csv(frame()), **{"label": "kind", **options})
    assert is_one_sentence(str(refused.value))


def test_a_positive_label_whose_rows_were_dropped_is_refused():
    table = frame(20)
    table.loc[[1, 3], "kind"] = "gone"
    table.loc[[1, 3], "peak"] = np.nan
    with pytest.raises(DataError, match="No row is labelled 'gone'"):
        read_table(as_csv(table), "kind", positive="gone", gaps="drop")


def test_more_rows_with_gaps_than_without_are_not_dropped():
    rows = csv("x,y", *GOOD_ROWS, *[",a"] * 9)
    with pytest.raises(DataError, match=r"9 of 17 rows .* most .* column 'x' .9 rows"):
        read_table(rows, "y", gaps="drop")


CELLS = st.sampled_from(
    ["", "0", "1", "2.5", "-3", "1e5", "a", "b", "NaN", "inf", "1,5", '"', "\n", "TRUE"]
)


@settings(max_examples=40)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=12))
def test_any_table_is_read_or_refused(rows):
    table = pd.DataFrame(rows, columns=["x", "z", "y"])
    for label in ("x", "y"):
        sentence = refusal(lambda label=label: read_table(as_csv(table), label))
        assert sentence is None or is_one_sentence(sentence)
    sentence = refusal(lambda: preview_table(as_csv(table)))
    assert sentence is None or is_one_sentence(sentence)


def test_the_most_columns_are_read_and_no_more():
    refuse_huge_shape(1, MAX_COLUMNS)
    with pytest.raises(InterchangeError, match="has 20,001 columns; at most 20,000"):
        refuse_huge_shape(1, MAX_COLUMNS + 1)
