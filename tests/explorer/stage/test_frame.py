"""Of several works the first that is slow is told, and can be stopped."""

import param

from explorer.stage.frame import Working


class Work(param.Parameterized):
    is_slow = param.Boolean(default=False)
    progress = param.Number(default=0.0)
    n_cancelled = param.Integer(default=0)

    def cancel(self):
        self.n_cancelled += 1


def test_the_first_that_is_slow_is_told_and_stopped():
    first, second = Work(), Work()
    working = Working([(first, "Training <b>"), (second, "Tracing")])
    assert working.line.object == working._words.object == ""
    assert not working._stop.visible
    second.param.update(is_slow=True, progress=0.25)
    assert working._words.object == "Tracing, 25 %"
    assert 'value="25"' in working.line.object
    first.param.update(is_slow=True, progress=0.5)
    assert working._words.object == "Training &lt;b&gt;, 50 %"
    working._cancel()
    assert (first.n_cancelled, second.n_cancelled) == (1, 0)
    first.is_slow = second.is_slow = False
    assert working.line.object == ""
    working._cancel()
    assert (first.n_cancelled, second.n_cancelled) == (1, 0)
