"""What a budget buys: every row within it, every method asked, wins counted."""

from solvers.papers.figures import all_figures, figure_table
from solvers.papers.figures.budgets import BudgetChoice
from solvers.papers.figures.contenders import PUBLISHED, contenders
from tests.each import each


@each("name", ["2", "3"])
def test_every_row_is_within_its_budget(rows, name):
    assert all(row.cost <= row.budget for row in rows[name])


@each("name", ["2", "3"])
def test_every_method_answers_at_every_budget(rows, name):
    table = figure_table(rows[name])
    counts = table.groupby(["data", "weights", "level"]).method.nunique()
    assert (counts == len(contenders(refit=True))).all()


def test_wins_and_means_are_counted_from_the_rows():
    def row(data, method, f1):
        return BudgetChoice(data, 0.1, "refitted", "any", 9.0, 1.0, method, f1, 8.0, 3)

    pairs = [("a", 0.95, 0.80), ("b", 0.70, 0.85), ("c", 0.91, 0.905)]
    table = [
        row(data, method, f1)
        for data, ours, other in pairs
        for method, f1 in (("ACAFH p=1/2", ours), ("L1", other))
    ]
    (said,) = all_figures()["2"].describe(table)
    assert "ACAFH p=1/2 0.853, L1 0.852" in said
    assert "is level with the better L1 by +0.00167 ± 0.17 over 3 data sets" in said
    above = "Above 0.9: the better ACAFH from several starts on 2, the better L1 on 1"
    assert above in said


def test_acafh_as_published_and_from_several_starts_are_told_apart():
    def row(method, f1):
        return BudgetChoice("a", 0.1, "refitted", "any", 9.0, 1.0, method, f1, 8.0, 3)

    table = [row(PUBLISHED[0], 0.6), row("ACAFH p=1/2", 0.9), row("L1", 0.8)]
    (said,) = all_figures()["2"].describe(table)
    of_published, of_ours = said.split("ACAFH from several starts is")[:2]
    assert "The better ACAFH as published is" in of_published
    assert "is in one run beside the better L1 by -0.2" in of_published
    assert " in one run beside the better L1 by +0.1" in of_ours
