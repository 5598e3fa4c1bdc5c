"""What is computed on demand says nothing before, and cannot be asked for twice."""

from panel.pane import HTML

from explorer.session.context import Context
from explorer.session.on_demand import OnDemandPart
from explorer.session.state import SessionState


class Counting(OnDemandPart):
    """Counts to three."""

    title = "Numbers"
    label = "Count"
    doing = "Counting"

    def compute(self):
        self.job.submit(lambda: iter([1, 2, 3]), lambda items: None)


def opened():
    return Counting(Context(SessionState()))


def test_nothing_is_shown_or_computed_before_it_is_asked_for():
    part = opened()
    part.__panel__()
    assert not part.result.visible
    assert not part.job.busy
    assert part.job.completed == 0


def test_the_button_computes_and_waits_while_it_does():
    part = opened()
    part.job.submit = lambda *_: part.job.param.update(busy=True)
    part.start.clicks += 1
    assert part.job.busy
    assert part.start.disabled
    part.job.busy = False
    assert not part.start.disabled


def test_a_heading_is_there_only_where_the_part_has_one():
    class Bare(Counting):
        title = ""

    titled, bare = opened().__panel__(), Bare(Context(SessionState())).__panel__()
    assert titled[0].object == "<h2>Numbers</h2>"
    assert len(bare) == len(titled) - 1


def test_what_is_not_visible_yet_is_not_sent_and_what_is_stays():
    part = opened()
    part.result.objects = ["the result"]
    page = part.__panel__()
    before = len(page.select())
    part.result.visible = True
    assert part.result in page.select()
    shown = len(page.select())
    part.result.visible = False
    part.result.visible = True
    assert before < len(page.select()) == shown


def test_how_far_a_job_has_come_is_told_from_its_first_run_on():
    part = opened()
    page = part.__panel__()
    before = len(page.select())
    for _ in range(2):
        part.job.param.update(busy=True, is_slow=True)
        assert [pane for pane in page.select(HTML) if "<progress" in pane.object]
        part.job.busy = False
    assert len(page.select()) == before + 2  # the bar and Cancel, once
