"""A table that a hypergraph is written as is read back as what it was."""

import csv
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from solvers import FeatureHypergraph, preview_table
from solvers.costs.interchange import (
    from_hif,
    hif_text,
    read_costs_csv,
    read_hif,
    read_hypergraph,
    read_incidence_csv,
    to_hif,
    to_incidence_csv,
    write_hif,
    write_incidence_csv,
)
from solvers.errors import InterchangeError
from tests.each import each
from tests.hif_cases import hif
from tests.strategies import named_hypergraphs


def test_csv_files_are_read_back_to_the_last_bit(tiny, tmp_path):
    write_incidence_csv(tiny, tmp_path / "tiny.csv")
    assert read_incidence_csv(tmp_path / "tiny.csv").equals(tiny)
    assert read_hypergraph(tmp_path / "tiny.csv").layout == "incidence"


@given(named_hypergraphs())
def test_any_hypergraph_survives_csv(hypergraph):
    assert read_incidence_csv(to_incidence_csv(hypergraph).encode()).equals(hypergraph)


def test_a_hypergraph_without_features_survives():
    empty = FeatureHypergraph(np.zeros((1, 0), dtype=bool), [2.0])
    assert from_hif(to_hif(empty)).equals(empty)
    assert read_incidence_csv(to_incidence_csv(empty).encode()).equals(empty)


def test_an_incidence_table_too_large_to_read_is_not_written():
    many = FeatureHypergraph.independent(np.ones(6_000))
    with pytest.raises(InterchangeError, match="6,000 features has more than"):
        to_incidence_csv(many)


def test_a_missing_unit_is_said_to_be_taken():
    file = read_hypergraph(json.dumps(hif(metadata={})).encode(), unit="ms")
    assert file.hypergraph.unit == "ms"
    assert file.notes == ("The file names no unit: costs are taken as ms.",)
    csv = read_hypergraph(b"feature,cost\na,1\n")
    assert csv.notes == ("The file names no unit: costs are taken as us.",)


def test_costs_by_column_share_nothing():
    costs = read_costs_csv(b"feature,cost_ms\npeak,3\nmean,0.5\n")
    assert costs.equals(
        FeatureHypergraph.independent([3, 0.5], ["peak", "mean"], unit="ms")
    )


@each("delimiter", [",", ";", "\t"])
@each("end", ["\n", "\r\n", "\r"])
@each("mark", ["", "\ufeff"])
def test_spreadsheets_part_cells_and_lines_as_they_like(delimiter, end, mark):
    rows = ["component,kind,cost_us,a,b", "fft,,1.5,1, 1.0", "idle,utilisation,0,,0"]
    text = mark + end.join(rows).replace(",", delimiter) + end
    read = read_hypergraph(text.encode()).hypergraph
    assert read.incidence.toarray().tolist() == [[True, True], [False, False]]
    assert read.kinds == ("generation", "utilisation")


def test_the_examples_of_the_docs_describe_one_hypergraph():
    text = (Path(__file__).parents[3] / "docs" / "files.md").read_text("utf-8")
    blocks = re.findall(r"```(?:json|text)\n(.*?)```", text, flags=re.DOTALL)
    # Outputs of an example are told from files by what they begin with.
    blocks = [block for block in blocks if block[:1] not in ("[", "C")]
    as_hif, incidence, costs, groups, table = (block.encode() for block in blocks)
    assert read_hif(as_hif).equals(read_incidence_csv(incidence))
    assert hif_text(to_hif(read_hif(as_hif))).encode() == as_hif
    assert to_incidence_csv(read_hif(as_hif)).encode().split() == incidence.split()
    assert read_costs_csv(costs).cost(["peak"]) == 3.0
    assert read_costs_csv(groups).cost(["chol", "fbs"]) == pytest.approx(7.27 + 3.10)
    assert preview_table(table).suggested_label == "kind"


def test_files_that_cannot_be_written_are_refused_with_a_sentence(tiny, tmp_path):
    with pytest.raises(InterchangeError, match="cannot be written"):
        write_hif(tiny, tmp_path / "no" / "folder.json")
    odd = tiny.rename(features={"peak": "\ud800"})
    with pytest.raises(InterchangeError, match="which is no character"):
        write_incidence_csv(odd, tmp_path / "odd.csv")


def test_names_that_begin_a_formula_are_written_as_text_and_read_back():
    names = ("=cmd|' /C calc'!A0", "+1+1", "-x", "@sum", "'=a", "'b", "-1")
    hypergraph = FeatureHypergraph.independent([1.0] * len(names), names)
    text = to_incidence_csv(hypergraph)
    for row in csv.reader(io.StringIO(text, newline="")):
        assert not [c for c in row if c[:1] in tuple("=+-@\t\r") and c != "-1"]
    again = read_incidence_csv(text.encode())
    assert again.features == names
    assert again.components == hypergraph.components


GROUPED = (
    b"feature,cost_CAD,group,discount_cost_CAD,result\n"
    b"age,1.00,,,immediate\n"
    b"chol,7.27,blood,5.17,delayed\n"
    b"fbs,5.20,blood,3.10,delayed\n"
)


def test_the_first_of_a_group_pays_all_and_each_further_one_the_discount():
    priced = read_costs_csv(GROUPED)
    assert priced.unit == "CAD"
    assert priced.cost(["chol"]) == pytest.approx(7.27)
    assert priced.cost(["fbs"]) == pytest.approx(5.20)
    assert priced.cost(["chol", "fbs"]) == pytest.approx(7.27 + 3.10)
    assert priced.components == ("blood", "age", "chol", "fbs")
    assert read_hypergraph(GROUPED, "costs.csv").notes == (
        "Columns of the costs that are not used: 'result'.",
    )


@each(
    ("rows", "sentence"),
    [
        (b"a,3,g,1\nb,3,g,2\n", "'b' saves 1 in group 'g', where another saves 2"),
        (b"a,3,g,4\n", "'a' costs 3, but 4 with a discount"),
        (b"a,3,g,\n", "cost of 'a' is ''; write a finite number"),
    ],
)
def test_groups_that_make_no_sense_are_refused_with_a_sentence(rows, sentence):
    with pytest.raises(InterchangeError, match=sentence):
        read_costs_csv(b"feature,cost_us,group,discount_cost_us\n" + rows)
    with pytest.raises(InterchangeError, match=r"costs are in 'us', but .* in 'ms'"):
        read_costs_csv(b"feature,cost_us,group,discount_cost_ms\n" + rows)


def test_an_incidence_table_needs_neither_kinds_nor_a_unit():
    found = read_hypergraph(b"component,cost,a,b\nx,1,1,0\ny,2,1,1\n", "h.csv")
    assert found.hypergraph.cost(["a"]) == 3.0
    assert found.hypergraph.kinds == ("generation", "generation")
    assert found.notes == ("The file names no unit: costs are taken as us.",)
