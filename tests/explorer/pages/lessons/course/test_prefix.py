"""A fixed prefix wins at its own price, a cascade between two."""

from explorer.pages.cascade.queries import THRESHOLD
from explorer.pages.cascade.state import CascadeState
from explorer.pages.lessons.course import prefix
from explorer.session.link import asked_by
from explorer.session.state import bundled
from tests.each import each


def test_the_fixed_prefix_wins_at_its_own_price():
    lead = prefix.best_within("static_prefix", 3.0) - prefix.best_within("tefe", 3.0)
    assert lead > 0.1


@each("budget", [7.0, 8.0, 9.0])
def test_the_cascade_wins_between_two_prefixes_far_apart(budget):
    paid = [prefix.best_within(name, budget) for name in ("tefe", "static_prefix")]
    assert paid[0] > paid[1]


def test_the_page_that_the_prefix_lesson_opens_shows_a_prefix_ahead():
    asked = asked_by(prefix.LESSON.visit.query)
    state = CascadeState(
        source=asked["table"],
        session_dataset=bundled(asked["data"]),
        order=asked["order"],
        confidence=asked["confidence"],
    )
    THRESHOLD.answer(state)
    ahead = [row.ahead for row in state.picture.against_prefix]
    assert ahead.count("prefix") >= 5
    assert "cascade" not in ahead
