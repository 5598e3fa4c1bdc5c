"""Tables from people become data sets, or are refused with a sentence."""

import datetime
import io

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from solvers import FeatureHypergraph, split_dataset
from solvers.datasets.table import preview_table, read_table
from solvers.errors import DataError, HypergraphError, InterchangeError
from tests.fuzz.refusal import is_one_sentence, refusal


def frame(n=12):
    """Numbers, booleans and labels of two classes, without a gap."""
    return pd.DataFrame(
        {
            "peak": np.arange(n) / 7,
            "loud": np.arange(n) % 3 == 0,
            "count": np.arange(n) ** 2,
            "kind": np.where(np.arange(n) % 2, "good", "bad"),
        }
    )


def as_csv(table, **options):
    return table.to_csv(index=False, **options).encode()


def as_parquet(table):
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pandas(table), buffer)
    return buffer.getvalue()


@pytest.fixture
def hypergraph():
    """peak and loud share fft; the order is not that of the table."""
    return FeatureHypergraph(
        [[1, 1, 0], [0, 0, 1]],
        [3.0, 0.5],
        ("loud", "peak", "count"),
        ("fft", "tally"),
        unit="ms",
    )


# ------------------------------------------------------------------------ good tables


@pytest.mark.parametrize("written", [as_csv, as_parquet])
def test_numbers_are_read_to_the_last_bit(written):
    table = frame()
    dataset = read_table(written(table), "kind")
    assert dataset.feature_names == ("peak", "loud", "count")
    expected = table[["peak", "loud", "count"]].to_numpy(dtype=float)
    assert np.array_equal(dataset.X, expected)
    assert dataset.y.tolist() == table["kind"].tolist()
    assert dataset.positive == "good"
    assert dataset.notes == ()


def test_without_costs_every_column_costs_one():
    dataset = read_table(as_csv(frame()), "kind")
    assert dataset.unit == "features"
    assert dataset.hypergraph.total_cost == 3.0


def test_columns_take_the_order_of_the_hypergraph(hypergraph):
    dataset = read_table(as_csv(frame()), "kind", hypergraph=hypergraph)
    assert dataset.hypergraph.equals(hypergraph)
    assert np.array_equal(dataset.X[:, 1], frame()["peak"])
    assert np.array_equal(dataset.X[:, 2], frame()["count"])


@pytest.mark.parametrize(
    "costs",
    [
        {"peak": 3, "loud": 0.5, "count": np.float64(1)},
        b"feature;cost_us\nloud;0.5\ncount;1\npeak;3\n",
    ],
)
def test_costs_by_column_price_the_columns(costs):
    dataset = read_table(as_csv(frame()), "kind", costs=costs)
    assert dataset.hypergraph.cost(["peak", "loud"]) == 3.5
    assert dataset.unit == "us"


def test_a_file_gives_the_data_set_its_name(tmp_path):
    path = tmp_path / "traffic.day.csv"
    path.write_bytes(as_csv(frame()))
    assert read_table(path, "kind").name == "traffic.day"
    assert read_table(str(path), "kind", name="mine").name == "mine"
    assert read_table(path.read_bytes(), "kind").name == "table"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_cells_and_lines_may_be_parted_in_any_usual_way(end, delimiter, mark):
    text = as_csv(frame(), sep=delimiter, lineterminator=end).decode()
    plain = read_table(as_csv(frame()), "kind")
    assert np.array_equal(read_table((mark + text).encode(), "kind").X, plain.X)


def test_names_may_hold_delimiters_quotes_and_line_ends():
    table = frame().rename(columns={"peak": 'a "b", c;\nd', "kind": "klasse, Größe"})
    dataset = read_table(as_csv(table), "klasse, Größe")
    assert dataset.feature_names[0] == 'a "b", c;\nd'


def test_decimal_commas_are_read_and_said_to_be():
    table = frame()
    dataset = read_table(as_csv(table, sep=";", decimal=","), "kind")
    assert np.array_equal(dataset.X[:, 0], table["peak"])
    assert dataset.notes == ("Decimal commas were read in 'peak'.",)


def test_labels_may_be_whole_numbers_booleans_or_dates():
    n = 12
    for values, positive in [
        (np.arange(n) % 2, 1),
        (np.arange(n) % 2.0, 1),
        (np.arange(n) % 2 == 1, True),
        ([datetime.date(2020, 1, 1 + k % 2) for k in range(n)], "2020-01-02"),
    ]:
        for written in (as_csv, as_parquet):
            dataset = read_table(written(frame(n).assign(kind=values)), "kind")
            assert dataset.positive == positive


def test_the_positive_label_may_be_given_as_text():
    table = frame().assign(kind=np.arange(12) % 2)
    assert read_table(as_csv(table), "kind", positive="0").positive == 0
    assert read_table(as_csv(frame()), "kind", positive="bad").positive == "bad"


def test_categories_of_pandas_are_labels_and_numbers():
    table = frame()
    table["kind"] = table["kind"].astype("category")
    table["count"] = table["count"].astype("category")
    dataset = read_table(as_parquet(table), "kind")
    assert np.array_equal(dataset.X[:, 2], frame()["count"])
    assert dataset.y.tolist() == frame()["kind"].tolist()


def test_several_classes_have_no_positive_one():
    table = frame().assign(kind=list("abcabcabcabc"))
    assert read_table(as_csv(table), "kind").positive is None


# -------------------------------------------------------- what is left out is told


def test_columns_that_cannot_be_learned_from_are_left_out_and_named():
    table = frame().assign(
        colour=["red", "blue"] * 6,
        flat=7,
        gone=np.nan,
        day="2020-01-01",
    )
    dataset = read_table(as_csv(table), "kind")
    assert dataset.feature_names == ("peak", "loud", "count")
    assert dataset.notes == (
        "Left out as they hold text (for instance 'red'): 'colour'.",
        "Left out as they hold dates or times (for instance '2020-01-01'): 'day'.",
        "Left out as they hold no value: 'gone'.",
        "Left out as they hold the same value in every row (for instance 7): 'flat'.",
    )


def test_a_number_that_is_none_is_shown():
    table = frame().assign(bmi=["1.5", "<5", *"3456789012"])
    notes = read_table(as_csv(table), "kind").notes
    assert notes == ("Left out as they hold text (for instance '<5'): 'bmi'.",)


def test_nested_columns_are_left_out():
    table = frame().assign(steps=[[1, 2]] * 12, more=[{"a": 1}] * 12)
    dataset = read_table(as_parquet(table), "kind")
    assert dataset.notes == (
        "Left out as they hold neither numbers nor text: 'steps', 'more'.",
    )


def test_row_numbers_of_pandas_are_no_column():
    table = frame()
    csv = read_table(table.to_csv().encode(), "kind")
    assert csv.feature_names == ("peak", "loud", "count")
    assert csv.notes == ("Columns without a name left out: 1.",)
    packed = read_table(as_parquet(table.iloc[::-1]), "kind")
    assert packed.feature_names == ("peak", "loud", "count")


def test_rows_with_gaps_are_dropped_and_counted():
    table = frame(20)
    table.loc[[0, 1], "kind"] = None
    table.loc[[1, 2, 3], "peak"] = np.nan
    for written in (as_csv, as_parquet):
        dataset = read_table(written(table), "kind")
        assert dataset.n_samples == 16
        assert dataset.notes == (
            "4 of 20 rows dropped: 2 without a label, 2 with a missing value.",
        )


def test_gaps_in_columns_that_are_left_out_cost_no_rows():
    table = frame().assign(odd=[None, "x"] * 6, left=[None, 1, 2] * 4)
    dataset = read_table(as_csv(table), "kind", leave_out=["left"])
    assert dataset.n_samples == 12


def test_a_column_that_is_constant_in_the_rows_left_is_left_out():
    table = frame(20).assign(late=[1.0] * 19 + [2.0])
    table.loc[19, "peak"] = np.nan
    dataset = read_table(as_csv(table), "kind")
    assert "late" not in dataset.feature_names
    assert "in every row that is left: 'late'" in dataset.notes[-1]


# ------------------------------------------------------- hypergraph against columns


def test_disagreement_is_refused_with_both_sides_named(hypergraph):
    table = frame().rename(columns={"peak": "peaks"})
    sentence = (
        "The hypergraph has no feature for column 'peaks' and the table has no column "
        r"for feature 'peak' \(is 'peaks' as 'peak' meant\?\); make the names agree"
    )
    with pytest.raises(DataError, match=sentence):
        read_table(as_csv(table), "kind", hypergraph=hypergraph)


def test_columns_without_a_cost_may_be_free(hypergraph):
    table = frame().assign(extra=np.arange(12)).drop(columns="count")
    dataset = read_table(as_csv(table), "kind", hypergraph=hypergraph, missing="free")
    assert dataset.feature_names == ("loud", "peak", "extra")
    assert dataset.hypergraph.cost(["extra"]) == 0.0
    assert dataset.hypergraph.cost(["peak", "extra"]) == 3.0
    assert dataset.hypergraph.components == ("fft", "extra")
    assert dataset.notes == (
        "The table has no column for feature 'count': left out.",
        "No cost is known of column 'extra': taken as 0.",
    )


def test_columns_without_a_cost_may_be_dropped(hypergraph):
    table = frame().assign(extra=np.arange(12))
    dataset = read_table(as_csv(table), "kind", hypergraph=hypergraph, missing="drop")
    assert dataset.hypergraph.equals(hypergraph)
    assert dataset.notes == ("No cost is known of column 'extra': left out.",)


def test_columns_that_are_left_out_are_no_disagreement(hypergraph):
    table = frame().assign(count="many", colour="red")
    dataset = read_table(
        as_csv(table), "kind", hypergraph=hypergraph, leave_out=["loud"]
    )
    assert dataset.feature_names == ("peak",)
    assert dataset.hypergraph.components == ("fft",)


def test_free_columns_cost_nothing_whatever_the_hypergraph_says(hypergraph):
    dataset = read_table(as_csv(frame()), "kind", hypergraph=hypergraph, free=["loud"])
    assert dataset.feature_names == ("peak", "count", "loud")
    assert dataset.hypergraph.cost(["loud"]) == 0.0
    assert dataset.hypergraph.cost(["peak"]) == 3.0
    plain = read_table(as_csv(frame()), "kind", free=["loud"])
    assert plain.hypergraph.total_cost == 2.0


def test_a_free_column_gets_a_component_of_its_own():
    names = ("peak", "count")
    priced = FeatureHypergraph([[1, 1]], [3.0], names, ("loud",))
    dataset = read_table(as_csv(frame()), "kind", hypergraph=priced, free=["loud"])
    assert dataset.hypergraph.components == ("loud", "loud 2")


def test_a_table_read_can_be_split():
    dataset = read_table(as_csv(frame(8)), "kind")
    parts = split_dataset(dataset).rows
    assert [len(parts[part]) for part in ("train", "validation", "test")] == [4, 2, 2]


# -------------------------------------------------------------------------- refusals


def csv(*rows):
    return ("\n".join(rows) + "\n").encode()


GOOD_ROWS = ["1,a", "2,b"] * 4
BAD_TABLES = [
    (b"", "The file is empty"),
    (b"\n\n", "The file is empty"),
    (b"x,y\n", "has a header but no rows"),
    (b"x,y", "has a header but no rows"),
    (csv("x,y", "1,a", "2"), "header has 2 cells, but row 2 of the table has 1"),
    (csv("x,y", "1,a,", *GOOD_ROWS), "header has 2 cells, but row 1 of the table h"),
    (csv("x,x,y", "1,2,a"), "Two columns are called 'x'"),
    (csv("x, x,y", "1,2,a"), "Two columns are called 'x'"),
    (csv("x,z", *GOOD_ROWS), "has no column 'y' .the label.; its columns are 'x', 'z'"),
    (csv("x,Y", *GOOD_ROWS), "has no column 'y'"),
    (csv("y", *"ab" * 4), "no column to learn from among none"),
    (csv("x,y", *["r,a", "s,b"] * 4), "no column to learn from among 'x'"),
    (csv("x,y", *["1,a", "2,a"] * 4), "Every row that is left is labelled 'a'"),
    (csv("x,y", "1,a", "2,b", "3,a"), "Class 'b' has too few rows left, 1; training"),
    (csv("x,y", *GOOD_ROWS, "inf,a"), "Column 'x' holds inf in row 9"),
    (csv("x,y", *GOOD_ROWS, "1e999,a"), "Column 'x' holds inf in row 9"),
    (csv("x,y", *[f"{k},{k}.5" for k in range(9)]), "'y' holds 0.5: it is contin"),
    (csv("x,y", *[f"{k},{k}" for k in range(99)]), "'y' holds 99 distinct values, suc"),
    (csv("x,y", *[f"{k}," for k in range(9)]), "'y' holds no value"),
    (csv("x,y", *GOOD_ROWS, *["4,"] * 9), "9 of 17 rows have no label"),
    (csv("x,y", *GOOD_ROWS, *[",a"] * 9), "9 of 17 rows .* most .* column 'x' .9 rows"),
    (csv("x,y", *['"1,234",a', '"5,678",b'] * 4), "'x' holds '1,234', which may be a"),
    (csv("x,y", f"1,{'l' * 1001}", *GOOD_ROWS), "of 1,001 characters, too long"),
    (csv("x" * 1001 + ",y", *GOOD_ROWS), "a name of 1,001 characters"),
    (csv(",".join(f"x{k}" for k in range(20_001))), "has 20,001 columns; at most 20,0"),
    (b"a,b,c\n" + b"\n" * 10_000_000, "10,000,002 rows of 3 columns; at most 25,000"),
    (csv('x,"y', *GOOD_ROWS), "no rows|open quote|not a table"),
    ("x,größe\n1,a".encode("latin-1"), "not UTF-8 text: byte 4 is 0xf6"),
    ("x,y\n1,a".encode("utf-16"), "UTF-16 text"),
    (b"PK\x03\x04", "a zip archive or an Excel workbook"),
    (b"PAR1", "not Parquet, or only a part of it"),
    (b"PAR1" + b"\0" * 64 + b"PAR1", "not Parquet, or only a part of it"),
]


@pytest.mark.parametrize(
    ("content", "sentence"), BAD_TABLES, ids=[s for _, s in BAD_TABLES]
)
def test_bad_tables_are_refused_with_a_sentence(content, sentence):
    with pytest.raises((DataError, InterchangeError), match=sentence) as refused:
        read_table(content, "y")
    assert is_one_sentence(str(refused.value))


def test_a_parquet_file_of_two_columns_of_one_name_is_refused():
    buffer = io.BytesIO()
    twins = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["x", "x"])
    parquet.write_table(twins, buffer)
    with pytest.raises(DataError, match="Two columns are called 'x'"):
        read_table(buffer.getvalue(), "x")


def test_a_truncated_parquet_file_is_refused():
    whole = as_parquet(frame())
    with pytest.raises(InterchangeError, match="not Parquet, or only a part of it"):
        read_table(whole[:-20], "kind")


def test_a_parquet_file_of_too_many_cells_is_refused_before_it_is_unpacked():
    buffer = io.BytesIO()
    zeros = pa.table({"x": np.zeros(13_000_000, np.int8), "y": pa.nulls(13_000_000)})
    parquet.write_table(zeros, buffer, use_dictionary=True)
    assert len(buffer.getvalue()) < 100_000
    with pytest.raises(InterchangeError, match="13,000,000 rows of 2 columns"):
        read_table(buffer.getvalue(), "y")


def test_long_texts_in_a_parquet_file_stay_packed():
    buffer = io.BytesIO()
    n = 200_000
    words = pa.DictionaryArray.from_arrays(
        pa.array(np.zeros(n, dtype=np.int32)), ["w" * 100_000]
    )
    table = pa.table({"x": np.arange(n), "word": words, "y": np.arange(n) % 2})
    parquet.write_table(table, buffer, store_schema=False)
    dataset = read_table(buffer.getvalue(), "y")  # unpacked, it would take 20 GB
    assert dataset.feature_names == ("x",)
    assert pa.default_memory_pool().max_memory() < 1_000_000_000


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"label": "kin"}, "no column 'kin' .the label.; did you mean 'kind'"),
        ({"leave_out": ["peek"]}, "no column 'peek' .to leave out.; did you mean 'pea"),
        ({"free": ["peek"]}, "no column 'peek' .at no cost."),
        ({"free": ["kind"]}, "'kind' is put to two uses"),
        ({"free": ["peak"], "leave_out": ["peak"]}, "'peak' is put to two uses"),
        ({"positive": "ugly"}, "No row is labelled 'ugly'; .* one of 'bad', 'good'"),
        ({"missing": "ignore", "costs": {}}, "missing is 'ignore'; use \"refuse\""),
        ({"costs": {"peak": 1}}, "no feature for columns 'loud', 'count'; make"),
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
        read_table(as_csv(table), "kind", positive="gone")


CELLS = st.sampled_from(
    ["", "0", "1", "2.5", "-3", "1e5", "a", "b", "NaN", "inf", "1,5", '"', "\n", "TRUE"]
)


@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=12))
def test_any_table_is_read_or_refused(rows):
    table = pd.DataFrame(rows, columns=["x", "z", "y"])
    for label in ("x", "y"):
        sentence = refusal(lambda label=label: read_table(as_csv(table), label))
        assert sentence is None or is_one_sentence(sentence)
    sentence = refusal(lambda: preview_table(as_csv(table)))
    assert sentence is None or is_one_sentence(sentence)
