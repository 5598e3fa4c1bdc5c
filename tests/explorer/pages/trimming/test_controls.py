"""A search is watched as long as its events ask for, on a busy machine as well."""

from types import SimpleNamespace

from explorer.pages.trimming import controls
from explorer.pages.trimming.playback import MOST_SECONDS


def test_each_tick_shows_what_is_due_by_the_clock(wine, monkeypatch):
    now, given = [0.0], {}

    def buttons(state, period, tick, **look):
        given.update(period=period, tick=tick)
        return SimpleNamespace(follow=lambda: None, row=[])

    monkeypatch.setattr(controls, "PlayButtons", buttons)
    monkeypatch.setattr(controls, "time", SimpleNamespace(monotonic=lambda: now[0]))
    controls.Player(wine)
    wine.log.events = wine.log.events * 20
    wine.play()
    given["period"]()
    # One tick came late: the next shows what two would have shown.
    for seconds in (1.0, 4.0):
        now[0] = seconds
        given["tick"]()
        assert wine.n_shown == 1 + round(wine.pace * seconds)
    now[0] = MOST_SECONDS
    given["tick"]()
    assert not wine.is_playing
