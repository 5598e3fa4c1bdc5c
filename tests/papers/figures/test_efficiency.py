"""Times are of gradients and of trainings."""

from solvers.papers.figures import figure_table
from tests.each import each


@each("name", ["6", "7", "10"])
def test_times_are_of_gradients_and_of_trainings(rows, name):
    table = figure_table(rows[name])
    assert set(table.what) == {"one gradient", "training"}
    assert (table.seconds > 0).all()
    assert (table.products[table.what == "one gradient"] > 0).all()
