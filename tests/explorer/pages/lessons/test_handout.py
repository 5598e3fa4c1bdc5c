"""A handout has the question above its fold, and the computed answer below."""

import re

from explorer.pages.lessons.course import all_lessons
from explorer.pages.lessons.handout import handout
from explorer.widgets.text import plain


def test_a_handout_asks_above_the_fold_and_answers_below():
    lesson = all_lessons()["sharing"]
    above, below = handout(lesson).split('<p class="fold">')
    assert plain(lesson.question) in above
    assert all(f"<li>{plain(answer)}</li>" in above for answer in lesson.answers)
    verdict = lesson.judge()
    for told in (lesson.title, lesson.limit, verdict.why):
        assert plain(told) in below
        assert plain(told) not in above
    # Both pictures are in the page itself.
    assert above.count("<svg") == below.count("<svg") == 1
    assert not re.findall(r'(?:src|href|url)[=(]"?http[^"]*', above + below)
