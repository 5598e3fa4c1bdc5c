"""Of several works the first that is slow is told, and can be stopped."""

import param

from explorer.stage.frame import Working


class Work(param.Parameterized):
    is_slow = param.Boolean(default=False)
    progress = param.Number(default=0.0)
    is_cut = param.Boolean(default=False)

    def interrupt(self):
        self.param.update(is_slow=False, is_cut=True)

    def ask(self):
        self.param.update(is_slow=True, is_cut=False)


def test_the_first_that_is_slow_is_told_and_stopped():
    first, second = Work(), Work()
    working = Working([(first, "Training <b>"), (second, "Tracing")])
    assert working.line.object == working._words.object == ""
    assert not working._button.visible
    second.param.update(is_slow=True, progress=0.25)
    assert working._words.object == "Tracing, 25 %"
    assert 'value="25"' in working.line.object
    first.param.update(is_slow=True, progress=0.5)
    assert working._words.object == "Training &lt;b&gt;, 50 %"
    working._press()
    assert (first.is_cut, second.is_cut) == (True, False)
    assert working._words.object == "Tracing, 25 %"
    second.is_slow = False
    assert working.line.object == ""
    assert working._words.object == "Training &lt;b&gt;: stopped"
    assert working._button.label == "Compute again"
    working._press()
    assert first.is_slow
    assert working._button.label == "Cancel"
    first.is_slow = False
    assert not working._button.visible


def test_the_row_is_made_once_and_only_its_words_change():
    """Bokeh looks through the whole page whenever what a row holds is set."""
    work = Work()
    working = Working([(work, "Training")])
    assert len(working.row) == 1
    work.is_slow = True
    told = []
    working.row.param.watch(told.append, "objects")
    for share in (0.2, 0.4):
        work.progress = share
    work.is_slow = False
    work.is_slow = True
    assert told == []
    assert working._words.object == "Training, 40 %"
