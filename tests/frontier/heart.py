"""The heart's tests, and mistakes in their currency, traced once for all that ask."""

from functools import cache

from solvers import MistakeCosts, split_dataset, trace_frontier
from solvers.datasets import make_heart

HEART = make_heart()
SPLIT = split_dataset(HEART)
MISTAKES = MistakeCosts.binary(miss=1000.0, false_alarm=100.0)


@cache
def traced():
    return tuple(trace_frontier("static_prefix", HEART, mistake_costs=MISTAKES))
