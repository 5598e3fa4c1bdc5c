"""Bars have one scale for all μ."""

from explorer.pages.selectivity.coefficient_map import CoefficientMap
from explorer.pages.selectivity.state import ANSWER, PATH


def test_the_scale_holds_the_whole_path_and_stays_whatever_mu_is(state):
    PATH.answer(state)
    bars = CoefficientMap(state=state).figure.x_range
    end = bars.end
    assert end >= max(abs(one.fit.coef).max() for one in state.path)
    for share in (0.5, 0.02):
        state.share = share
        ANSWER.answer(state)
        assert (bars.start, bars.end) == (-end, end)
