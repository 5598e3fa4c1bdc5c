"""What is taken away agrees as promised, as classifier and as script."""

import contextlib
import io

import pytest

from explorer.pages.trimming.log import TrimmingQuestion
from explorer.pages.trimming.sources import open_network
from explorer.pages.trimming.state import TrimmingState
from explorer.pages.trimming.take_away import (
    original_json,
    trimmed_json,
    trimming_script,
)
from explorer.session.state import bundled
from solvers.bayes import (
    bundled_classifier,
    classifier_from_json,
    maximum_achievable_agreement,
    trim,
)
from solvers.errors import NetworkError
from tests.each import each


def opened(source, **more):
    state = TrimmingState(dataset=bundled("breast_cancer"), source=source, **more)
    request = state.open_request()
    state.take(next(open_network(request)), request)
    return state


def found(question):
    return trim(question.classifier(), question.budget, question.costs)


def test_the_trimmed_classifier_agrees_as_promised():
    question = opened("quiz").question()
    best = found(question)
    trimmed = classifier_from_json(trimmed_json(question, best))
    original = question.classifier()
    achieved = maximum_achievable_agreement(original, list(trimmed.features))
    assert trimmed.features == best.features
    assert trimmed.threshold in achieved.threshold_interval
    assert achieved.agreement == pytest.approx(best.agreement)


def test_a_trimming_without_features_is_refused_with_a_remedy():
    question = TrimmingQuestion(bundled_classifier("quiz"), 0.07, 0.0)
    with pytest.raises(NetworkError, match="Raise the budget B"):
        trimmed_json(question, found(question))


def test_the_original_comes_with_its_threshold():
    question = TrimmingQuestion(bundled_classifier("quiz"), 0.3, 1.0)
    assert classifier_from_json(original_json(question)).threshold == 0.3


@each(
    ("source", "edit"),
    [("quiz", {"Q1": 2.0}), ("wine", {}), ("session", {}), ("fig3", {})],
)
def test_the_script_finds_the_same_trimming(source, edit):
    state = opened(source)
    for name, cost in edit.items():
        state.set_cost(name, cost)
    question = state.question()
    assert run(trimming_script(question, state.opened.call)) == report(found(question))


def test_a_script_without_a_call_carries_its_network():
    state = opened("fig3")
    question = state.question()
    text = trimming_script(question, None)
    assert "bundled_classifier" not in text
    assert run(text) == report(found(question))


def test_names_in_a_script_stay_text():
    quiz = bundled_classifier("quiz")
    evil = '"""\nimport os\nraise SystemExit("run")\n"""'
    text = trimming_script(TrimmingQuestion(quiz, 0.07, 2.0, {evil: 1.0}), None)
    tree = compile(text, "script", "exec")
    assert "os" not in tree.co_names


def run(text):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(text, "script", "exec"), {"__name__": "__main__"})
    return said.getvalue()


def report(best):
    names = "".join(f"\n    {name}" for name in best.features)
    return (
        f"features:{names}\nagreement: {best.agreement:.6f}, cost: {best.cost:g}\n"
        f"new threshold: any in {best.threshold_interval}\n"
    )
