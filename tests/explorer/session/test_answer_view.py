"""A long answer folds on the screen, and is copied as a whole."""

from explorer.export.plain_answer import PlainAnswer
from explorer.session.answer_view import FIRST_SHOWN, MOST_SHOWN, AnswerView


def shown(n_steps):
    steps = tuple(f"Step of {i} < 9." for i in range(1, n_steps + 1))
    view = AnswerView()
    view.answer = PlainAnswer(("First.",), steps, ("Last.",))
    return view, view._text.object


def test_a_short_answer_is_shown_as_a_whole():
    assert "<details>" not in shown(MOST_SHOWN)[1]


def test_of_a_long_answer_the_first_steps_and_the_last_are_outside_the_fold():
    view, words = shown(30)
    before, _, rest = words.partition("<details>")
    inside, _, after = rest.partition("</details>")
    assert before.count("<li>") == FIRST_SHOWN
    assert "And so on: steps 4 to 29" in inside
    assert '<ol start="4">' in inside
    assert inside.count("<li>") == 26
    assert '<ol start="30"><li>Step of 30 &lt; 9.</li></ol>' in after
    assert view._copy.text == view.answer.text()
    assert "17. Step of 17 < 9." in view._copy.text
