"""The paper's claims are measured, not asserted, and each has a verdict."""

import pytest

from solvers.errors import KnobError
from solvers.markov import MethodSummary, claims_table, trace_claims
from solvers.markov.verdicts import FIGURE_1, FIGURE_2, FIGURE_3, WARM


def figure(values, costs):
    """Curves that stay where they are: one cost for each method."""
    return {
        value: {
            method: MethodSummary(method, cost, 1.0, 0.8, 0.0, 3)
            for method, cost in costs.items()
        }
        for value in values
    }


AS_PUBLISHED = {
    "LOGREG": 100.0,
    "MN": 90.0,
    WARM: 90.0,
    "CSMN": 60.0,
    "CSMN w/o CSINF": 130.0,
}


def verdicts(judges, curves):
    return {judge(curves).sentence: judge(curves).verdict for judge in judges}


def test_a_verdict_follows_from_the_curve():
    values = (0.5, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)
    sentence = "CSMN pays less than MN at every ρ."
    cheap = verdicts(FIGURE_1, figure(values, AS_PUBLISHED))
    dear = verdicts(FIGURE_1, figure(values, {**AS_PUBLISHED, "CSMN": 95.0}))
    assert cheap[sentence] == "reproduces"
    assert dear[sentence] == "does not reproduce"


def test_every_claim_can_be_judged_on_any_curve():
    for judges, values in (
        (FIGURE_1, (0.5, 0.7, 0.75, 0.8, 0.85, 0.9, 1.0)),
        (FIGURE_2, (0.0, 0.1, 0.25, 0.4)),
        (FIGURE_3, (0.2, 1.0, 2.0)),
    ):
        found = verdicts(judges, figure(values, AS_PUBLISHED))
        assert set(found.values()) <= {"reproduces", "does not reproduce"}


def test_bad_settings_are_refused_before_the_first_claim():
    with pytest.raises(KnobError, match="n_seeds is 0"):
        trace_claims(n_seeds=0)
    with pytest.raises(KnobError, match="n_days is 1"):
        trace_claims(n_days=1)


@pytest.mark.slow
def test_what_reproduces_and_what_does_not():
    """Firm verdicts only: those far outside of the noise at three seeds."""
    table = {row["sentence"]: row["verdict"] for row in claims_table(n_seeds=3)}
    firm = {
        "Structured classifiers use links that agree to pay less than LOGREG.": True,
        "CSMN pays less than MN at every ρ.": False,
        "CSMN's saving over LOGREG grows from ρ = 0.8 to 1.": True,
        "CSMN saves 39% over LOGREG at ρ = 1 (within 10 points).": False,
        "Without costs in inference CSMN is poor at ρ = 0.7 and 0.8.": True,
        "Without costs in inference CSMN is poor at high ρ too.": False,
        "CSMN pays less than MN at every α.": False,
        "LOGREG does well at α = 0 against structured classifiers.": False,
        "The two steps of inference end where the objective is stable.": False,
    }
    for sentence, reproduces in firm.items():
        wanted = "reproduces" if reproduces else "does not reproduce"
        assert table[sentence] == wanted, sentence
