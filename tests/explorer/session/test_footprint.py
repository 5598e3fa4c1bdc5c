"""What the C takes is measured when asked for, or it is said how to measure it."""

import html
from dataclasses import replace

import numpy as np

from explorer.export.deployed import deployed_files
from explorer.session.context import Context
from explorer.session.footprint import FootprintPart, footprint_text, python_text
from explorer.session.state import SessionState
from solvers.deploy import CFootprint, DecisionTime, c_readme, policy_from, to_c
from tests.deploy.models import fitted


def asked(subject):
    part = FootprintPart(Context(SessionState()), subject)
    seen = []
    part.job.submit = lambda generate, arrived: seen.extend(generate()) or arrived(seen)
    part.compute()
    assert part.result.visible
    return part._text.object, seen


def test_the_model_on_the_page_is_measured_on_its_rows():
    model, X, _ = fitted("l1")
    text, ((taken, time),) = asked(lambda: (model, X[:5]))
    policy = policy_from(model)
    assert html.unescape(text) == (
        f'<div role="status"><p>{footprint_text(policy, taken)}</p>'
        f"<p>{python_text(policy, time)}</p></div>"
    )


def test_what_was_measured_of_another_model_is_hidden():
    part = FootprintPart(Context(SessionState()), lambda: None)
    part.compute()
    assert part.result.visible
    part.forget("an event")
    assert not part.result.visible


def test_what_was_measured_goes_along_with_the_c():
    model, X, _ = fitted("csdt")
    assert "not measured" in deployed_files(model, "c", (), "rows")["README.md"]
    _, ((taken, _),) = asked(lambda: (model, X[:5]))
    files = deployed_files(model, "c", ["Test F1 0.9."], "rows")
    assert files["README.md"] == c_readme(to_c(model), taken)


def test_python_that_costs_more_than_its_features_is_said():
    policy = replace(policy_from(fitted("l1")[0]), unit="us")
    dear = python_text(policy, DecisionTime(90e-6, 45.0))
    assert "decides in 90.0 µs" in dear
    assert "costs 2 times what the features cost" in dear
    cheap = python_text(policy, DecisionTime(9e-6, 45.0))
    assert cheap.endswith("Deciding adds 20 % to what the features cost.")
    money = python_text(replace(policy, unit="CAD"), DecisionTime(9e-6, 45.0))
    assert money.endswith("cost 45.0 CAD.")


def test_what_was_measured_and_what_was_not_is_said():
    policy = policy_from(fitted("tefe")[0])
    whole = footprint_text(policy, CFootprint(4321, 0, 120, 987.4))
    assert "4,321 bytes of flash and 0 of RAM" in whole
    assert "987 instructions a decision" in whole
    assert "install" not in whole
    nothing = footprint_text(policy, CFootprint())
    assert "not measured" in nothing
    assert "install arm-none-eabi-gcc and gcc and valgrind" in nothing
    assert "install gcc and valgrind," in footprint_text(policy, CFootprint(1, 2, 3))


def test_without_a_model_a_sentence_says_so():
    assert "There is no model yet." in asked(lambda: None)[0]


def test_a_trimming_brings_rows_of_its_network():
    from explorer.pages.trimming.take_away import deployable
    from tests.explorer.pages.trimming.test_state import opened, search

    priced, rows = deployable(search(opened("quiz")))
    sizes = [
        priced.classifier.network.cardinality(f) for f in priced.classifier.features
    ]
    assert rows.shape == (100, len(sizes))
    assert (np.unique(rows[:, 0]) == np.arange(sizes[0])).all()
