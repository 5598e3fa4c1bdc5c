"""What costs nothing has a place of its own before the powers of ten."""

from explorer.figures.cost_axis import CostAxis

LOG = CostAxis(end=100.0, edge=1.0)


def test_nothing_stands_in_a_band_before_the_powers_of_ten():
    places = LOG.places([0.0, 1.0, 10.0])
    assert LOG.start < places[0] == LOG.nothing < LOG.edge
    assert list(places[1:]) == [1.0, 10.0]
    assert LOG.cost_at(LOG.nothing) == LOG.cost_at(0.999 * LOG.edge) == 0.0
    assert LOG.cost_at(10.0) == 10.0


def test_a_linear_axis_moves_nothing():
    axis = CostAxis(end=100.0)
    assert (axis.start, axis.place(0.0), axis.cost_at(0.5)) == (0.0, 0.0, 0.5)


def test_stairs_end_with_the_axis_or_where_a_line_goes_beyond_it():
    steps = CostAxis(10.0).stairs([1.0, 4.0], [0.5, 0.7])
    assert steps == ([1.0, 4.0, 10.0], [0.5, 0.7, 0.7])
    assert CostAxis(3.0).stairs([4.0], [0.7])[0] == [4.0, 4.0]
    assert CostAxis(3.0).stairs([], []) == ([], [])
