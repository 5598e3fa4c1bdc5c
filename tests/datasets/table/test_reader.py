"""Tables from people become data sets, or are refused with a sentence."""

import datetime

import numpy as np
import pytest

from solvers import FeatureHypergraph, split_dataset
from solvers.datasets.table import read_table
from solvers.errors import DataError
from tests.datasets.tables import as_csv, as_parquet, frame
from tests.each import each


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


@each("written", [as_csv, as_parquet])
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


@each(
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


@each("end", ["\n", "\r\n", "\r"])
@each("delimiter", [",", ";", "\t"])
@each("mark", ["", "\ufeff"])
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
    first = table["peak"][table["peak"] != 0].tolist()[0]
    word = str(first).replace(".", ",")
    assert dataset.notes == (f"Column 'peak' holds numbers: '{word}' is {first:.15g}.",)


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
    table = frame(24).assign(
        story=[f"{k} words" for k in range(24)],
        who=[f"p{k}" for k in range(24)],
        same="red",
        flat=7,
        gone=np.nan,
    )
    dataset = read_table(as_csv(table), "kind")
    assert dataset.feature_names == ("peak", "loud", "count")
    assert dataset.notes == (
        "Left out as it holds text of many values (for instance '0 words'): 'story'; "
        'the kind "hashed" keeps such a column.',
        "Left out as it only names the rows (for instance 'p0'): 'who'.",
        "Left out as it holds no value: 'gone'.",
        "Left out as they hold the same value in every row (for instance 'red'): "
        "'same', 'flat'.",
    )


def test_a_number_that_is_none_is_a_gap_and_shown():
    table = frame().assign(bmi=["1.5", "<5", *"3456789012"])
    dataset = read_table(as_csv(table), "kind")
    assert np.isnan(dataset.X[1, 3])
    assert dataset.X[2:, 3].tolist() == [3, 4, 5, 6, 7, 8, 9, 0, 1, 2]
    assert dataset.notes[-1] == (
        "Column 'bmi' holds text among numbers in 1 row (such as '<5'; row 2): "
        "taken as missing there."
    )


def test_nested_columns_are_left_out():
    table = frame().assign(steps=[[1, 2]] * 12, more=[{"a": 1}] * 12)
    dataset = read_table(as_parquet(table), "kind")
    assert dataset.notes == (
        "Left out as they hold neither numbers nor text: 'steps', 'more'; give what is "
        "in such cells as columns of their own.",
    )


def test_row_numbers_of_pandas_are_no_column():
    table = frame()
    csv = read_table(table.to_csv().encode(), "kind")
    assert csv.feature_names == ("peak", "loud", "count")
    assert csv.notes == ("Columns without a name left out: 1.",)
    packed = read_table(as_parquet(table.iloc[::-1]), "kind")
    assert packed.feature_names == ("peak", "loud", "count")


def test_rows_with_gaps_are_dropped_on_demand_and_counted():
    table = frame(20)
    table.loc[[0, 1], "kind"] = None
    table.loc[[1, 2, 3], "peak"] = np.nan
    for written in (as_csv, as_parquet):
        dataset = read_table(written(table), "kind", gaps="drop")
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
    table.loc[19, "kind"] = None
    dataset = read_table(as_csv(table), "kind")
    assert "late" not in dataset.feature_names
    assert "in every row that is left: 'late'" in dataset.notes[-1]


# ------------------------------------------------------- hypergraph against columns


def test_disagreement_is_refused_with_both_sides_named(hypergraph):
    table = frame().rename(columns={"peak": "peaks"})
    sentence = (
        "No cost is known of column 'peaks' and the table has no column "
        r"for feature 'peak' \(is 'peaks' as 'peak' meant\?\); make the names agree"
    )
    with pytest.raises(DataError, match=sentence):
        read_table(as_csv(table), "kind", hypergraph=hypergraph)


def test_a_priced_column_of_groups_is_no_feature_and_its_price_is_told(hypergraph):
    options = {"hypergraph": hypergraph, "group": "count"}
    dataset = read_table(as_csv(frame()), "kind", **options)
    assert dataset.feature_names == ("loud", "peak")
    assert dataset.hypergraph.components == ("fft",)
    assert "Not used, as no feature: the price of column 'count'." in dataset.notes


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
