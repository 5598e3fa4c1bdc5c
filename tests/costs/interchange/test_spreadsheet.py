"""Tables of incidences and of costs: headers, prices and what is refused."""

import pytest

from solvers.costs.interchange.spreadsheet import (
    csv_layout,
    is_spreadsheet_size,
    parse_costs,
    parse_incidence,
    to_incidence_csv,
)
from solvers.errors import InterchangeError
from tests.each import each

INCIDENCE = "component,kind,cost_us,peak,mean\nfft,generation,3,1,0\navg,,0.5,1,1\n"


@each(
    ("text", "layout"),
    [
        ("component,kind,cost_us\n", "incidence"),
        (' "Component";kind', "incidence"),
        ("feature\tcost", "costs"),
        ("FEATURE,cost", "costs"),
        ("features,cost", None),
        ('{"incidences": []}', None),
        ("", None),
    ],
)
def test_a_table_is_known_by_its_first_cell(text, layout):
    assert csv_layout(text) == layout


def test_a_row_is_a_component_and_empty_cells_are_not_needed():
    text = "component,cost_ms,a,b,c\nx,1,1,,1\ny,2, 1 ,1.0,0.0\n"
    hypergraph = parse_incidence(text).hypergraph
    assert hypergraph.incidence.toarray().tolist() == [
        [True, False, True],
        [True, True, False],
    ]
    assert hypergraph.unit == "ms"
    assert hypergraph.kinds == ("generation", "generation")


def test_prices_beside_the_cost_are_read_and_written_alike():
    text = (
        "component,kind,cost_CAD:money,price:maximum:delay:days,price:sum:energy:J,a\r\n"
        "x,generation,1.0,2.0,3.0,1\r\n"
    )
    hypergraph = parse_incidence(text).hypergraph
    assert (hypergraph.unit, hypergraph.charged) == ("CAD", "money")
    assert [(p.name, p.unit, p.rule) for p in hypergraph.prices] == [
        ("delay", "days", "maximum"),
        ("energy", "J", "sum"),
    ]
    assert to_incidence_csv(hypergraph) == text


def test_prices_of_a_table_of_costs_stand_anywhere_after_the_cost():
    text = (
        "feature,cost_us,price:sum:energy:J,group,discount_cost\na,3,7,g,1\nb,3,8,g,1\n"
    )
    file = parse_costs(text)
    (price,) = file.hypergraph.prices
    # What the group shares comes first, at no further price.
    assert price.values.tolist() == [0.0, 7.0, 8.0]
    assert file.hypergraph.cost([0, 1]) == 4.0
    assert file.notes == ()


def test_columns_that_are_not_used_are_told():
    text = "feature,cost_us,group,discount_cost_us,remark\na,3,g,1,good\n"
    (note,) = parse_costs(text).notes
    assert note == "Columns of the costs that are not used: 'remark'."


def test_a_unit_that_is_not_named_is_taken_and_told():
    file = parse_costs("feature,cost\na,3\n", "ms")
    assert file.hypergraph.unit == "ms"
    assert file.notes == ("The file names no unit: costs are taken as ms.",)


def test_a_code_of_money_is_told_in_capitals_as_it_is_usually_written():
    for stated, unit in (("usd", "USD"), ("Cad", "CAD"), ("us", "us"), ("Ms", "Ms")):
        file = parse_costs(f"feature,cost_{stated}\na,3\n")
        assert file.hypergraph.unit == unit


@each(
    ("parse", "text"),
    [
        (parse_costs, "feature,cost{}\na,3\n"),
        (parse_costs, "feature,cost{},group,discount_cost\na,3,g,1\n"),
        (parse_incidence, "component,cost{},a\nc,3,1\n"),
        (parse_incidence, "component;kind;cost{};a\nc;utilisation;3;1\n"),
    ],
)
def test_who_reads_a_file_without_a_unit_names_it(parse, text):
    nameless = parse(text.format(""))
    assert not nameless.names_unit
    named = nameless.with_unit("CAD")
    assert (named.hypergraph.unit, named.layout) == ("CAD", nameless.layout)
    assert named.notes == ("The file names no unit: costs are taken as CAD.",)
    for unit in (None, ""):
        with pytest.raises(InterchangeError, match="what its costs count in; name"):
            nameless.with_unit(unit)
    with_its_own = parse(text.format("_ms"))
    assert with_its_own.with_unit(None) is with_its_own


@each(
    ("parse", "text", "sentence"),
    [
        (parse_incidence, INCIDENCE.replace("0.5,1", "0.5,2"), "holds '2' for feature"),
        (parse_incidence, INCIDENCE.replace("0.5", "1_000"), "The cost of 'avg' is"),
        (parse_incidence, INCIDENCE.replace("generation", "cooking"), "'cooking'"),
        (parse_incidence, "component,price\n", "begin its header with component,cost"),
        (parse_costs, "feature,cost_us\n", "has a header but no rows"),
        (
            parse_costs,
            "feature,cost,price:sum:x:J,price:sum:x:J\na,1,2,3\n",
            "the price 'price:sum:x:J' twice",
        ),
        (
            parse_costs,
            "feature,cost,price:least:x:J\na,1,2\n",
            'write price:RULE:NAME:UNIT with the rule "sum" or "maximum"',
        ),
    ],
)
def test_tables_that_say_something_else_are_refused(parse, text, sentence):
    with pytest.raises(InterchangeError) as refusal:
        parse(text)
    assert sentence in str(refusal.value)


def test_a_line_of_too_many_cells_is_refused_before_it_is_parted(monkeypatch):
    monkeypatch.setattr("solvers.costs.interchange.spreadsheet.MAX_NAMES", 4)
    with pytest.raises(InterchangeError, match="A line of the table has 5 cells"):
        parse_incidence(INCIDENCE)


def test_what_would_be_too_large_to_read_is_not_written(monkeypatch):
    hypergraph = parse_incidence(INCIDENCE).hypergraph
    assert is_spreadsheet_size(hypergraph)
    monkeypatch.setattr("solvers.costs.interchange.spreadsheet._MAX_CELLS", 3)
    assert not is_spreadsheet_size(hypergraph)
    with pytest.raises(InterchangeError, match="write HIF"):
        to_incidence_csv(hypergraph)


def test_a_feature_named_like_a_column_of_prices_is_refused():
    text = "feature,cost_us\nprice:sum:x:J,1\n"
    with pytest.raises(InterchangeError, match="is named like a column of prices"):
        to_incidence_csv(parse_costs(text).hypergraph)
