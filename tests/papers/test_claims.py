"""Each form of claim is judged by the pairs that its rows make."""

import numpy as np
import pytest

from solvers.errors import ThriftscopeError
from solvers.papers.claims import (
    Above,
    Ahead,
    AsPrinted,
    Below,
    Either,
    Equal,
    Every,
    Grows,
    Row,
    StudyTable,
    rounds_to,
)
from tests.each import each


def table(costs, **labels):
    """Rows of two folds a seed: costs of each method, by seed, at each x."""
    rows = [
        Row(seed=seed, fold=fold, x=x, method=method, cost=cost + fold - 0.5)
        for x, of in costs.items()
        for method, by_seed in of.items()
        for seed, cost in enumerate(by_seed)
        for fold in range(2)
    ]
    return StudyTable(rows, ("seed",), "seeds", labels=labels)


FLAT = {"a": (1.0, 2.0, 3.0), "b": (2.0, 3.0, 4.0), "c": (0.5, 3.5, 2.0)}
CURVES = table({0.0: FLAT, 1.0: {"a": (5.0, 6.0, 7.0), "b": (4, 4, 4), "c": (9, 9, 9)}})
AT_1 = {"x": 1.0}


def outcome(claim, rows=CURVES):
    return claim.test(rows)[0]


@each(
    ("claim", "expected"),
    [
        (Ahead("a", of="b", by="-cost", at={"x": 0.0}), "holds"),
        (Ahead("b", of="a", by="-cost", at={"x": 0.0}), "does not hold"),
        (Ahead("a", of="c", by="-cost", at={"x": 0.0}), "within noise"),
        (Ahead("b", of="a", by="cost", at={"x": 0.0}), "holds"),
        (Ahead("a", of="b", by="-cost", along="x"), "does not hold"),
        (Ahead("a", of="b", by="-cost", along="x", anywhere=True), "holds"),
        (Ahead("a", of="b", by="-cost", at={"x": 0.0}, margin=2.0), "does not hold"),
        (Ahead("b", of="a", by="-cost", at={"x": 0.0}, margin=-2.0), "holds"),
        # 2, 3, 4 against 1.1 times 5, 6, 7; and against half of them.
        (Ahead("b", of="a", by="-cost", at={"x": 1.0}, share=-0.1), "holds"),
        (Ahead("b", of="a", by="-cost", at={"x": 1.0}, share=0.5), "does not hold"),
        # The better of two is 1, 2, 2 and beats 2, 3, 4; their mean is beaten by .5.
        (Ahead("b", of=("a", "c"), by="-cost", at={"x": 0.0}), "does not hold"),
        (Grows("cost", of="a", along="x", start=0.0, to=1.0), "holds"),
        (Grows("cost", of="b", along="x", start=0.0, to=1.0), "within noise"),
        (Equal("cost", to=9.0, within=1.0, at={"x": 1.0, "method": "c"}), "holds"),
        (Equal("cost", to=8.0, within=1.0, at={"method": "c"}), "does not hold"),
        (Above("cost", 8.0, at={"x": 1.0}, method="c"), "holds"),
        (Below("cost", 8.0, at={"x": 1.0}, method="c"), "does not hold"),
        (Above("cost", 5.5, AT_1, "a", certain=True), "does not hold"),
        (Above("cost", 5.5, AT_1, "a", certain=True, exceptions=1), "holds"),
        (Above("cost", 6.5, AT_1, "a", certain=True, exceptions=-1), "holds"),
        (Ahead("nobody", of="a", by="cost"), None),
    ],
)
def test_a_claim_is_judged_seed_by_seed(claim, expected):
    assert outcome(claim) == expected


def test_methods_that_are_more_than_their_rivals_are_not_lucky():
    rows = table({0.0: {"a": (1.0, 9.0, 1.0), "b": (9, 1, 9), "c": (4, 4.1, 4)}})
    both = Ahead(("a", "b"), of="c", by="-cost")
    assert outcome(both, rows) == "does not hold"  # 5 in the mean, 1 at best
    assert outcome(Ahead(("a", "b"), of=("c", "a"), by="-cost"), rows) != outcome(both)


def test_ratios_are_compared_as_logarithms():
    rows = table({0.0: {"slow": (10.5, 100.5), "fast": (1.5, 10.5)}})
    found, words = Ahead("fast", of="slow", by="-cost", ratio=True).test(rows)
    assert found == "holds"
    assert words.startswith("8.19 times, as a logarithm +2.1")


def test_words_hold_both_means_their_difference_and_its_noise():
    claim = Ahead("a", of="b", by="-cost", at={"x": 0.0})
    assert claim.test(CURVES)[1] == "a 2, b 3: +1 ± 0 over 3 seeds"
    along = Ahead("a", of="b", by="-cost", along="x")
    assert along.test(table({0.25: FLAT, 1.0: FLAT}, x="α"))[1] == (
        "a ahead of b at α = 0.25, 1"
    )


def test_one_part_decides():
    yes = Ahead("a", of="b", by="-cost", at={"x": 0.0})
    no = Ahead("b", of="a", by="-cost", at={"x": 0.0})
    assert outcome(Every(yes, no)) == "does not hold"
    assert outcome(Either(yes, no)) == "holds"


def test_a_single_pair_is_one_run_and_certain_claims_need_no_more():
    rows = StudyTable([row for row in CURVES.rows if row.seed == 0], ("seed",), "seeds")
    claim = Ahead("a", of="b", by="-cost", at={"x": 0.0})
    assert claim.test(rows) == ("one run", "a 1, b 2: +1")
    sure = Above("cost", 2.5, AT_1, "a", certain=True, unit="s")
    assert sure.test(rows) == ("holds", "1 of 1 seeds: 5 (s)")


def test_columns_are_compared_pair_by_pair():
    rows = [Row(n=n, ours=n, theirs=n + (n > 2)) for n in range(4)]
    same = Equal("ours", to="theirs")
    assert same.test(StudyTable(rows[:3], ("n",), "sizes")) == (
        "holds",
        "3 of 3 sizes: 0, 1, 2",
    )
    assert outcome(same, StudyTable(rows, ("n",))) == "does not hold"


def test_a_column_that_no_row_has_is_refused():
    with pytest.raises(ThriftscopeError, match="no row with a column 'price'"):
        Ahead("a", of="b", by="-price").test(CURVES)


def test_why_something_is_missing_is_told():
    rows = StudyTable(
        [*CURVES.rows, Row(x=7.0, missing="pgmpy is missing.")], ("seed",)
    )
    claim = Ahead("a", of="b", by="-cost", at={"x": 7.0})
    assert claim.test(rows) == (None, "pgmpy is missing.")


@each(
    ("value", "printed", "rounds"),
    [
        (0.6918, "75 %", False),
        (0.9082, "91 %", True),
        (0.905, "91 %", True),
        (0.9049, "91 %", False),
        (0.5528, "0.56", False),
        (0.5528, "0.55", True),
        (9 / 13, "0.69", True),
        (0.0, "0", True),
    ],
)
def test_a_printed_number_holds_where_ours_rounds_to_it(value, printed, rounds):
    assert rounds_to(value, printed) is rounds
    rows = StudyTable([Row(what="it", value=value)], ("what",))
    claim = AsPrinted("value", {"what": "it"}, printed)
    assert (outcome(claim, rows) == "holds") is rounds


def test_no_lead_is_found_in_noise():
    rng = np.random.default_rng(0)
    found = [
        outcome(
            Ahead("a", of="b", by="cost"),
            table({0.0: {"a": rng.normal(size=30), "b": rng.normal(size=30)}}),
        )
        for _ in range(40)
    ]
    assert found.count("within noise") > 30
