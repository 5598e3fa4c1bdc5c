"""A trimmed network leaves and decides as it does, gaps included."""

import json
import subprocess

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logit

from solvers import FeatureHypergraph
from solvers.bayes import (
    BayesianClassifier,
    BayesianNetwork,
    bundled_classifier,
    joint,
)
from solvers.deploy import (
    PricedNetwork,
    itemised,
    policy_from,
    to_c,
    to_html,
    to_python,
)
from tests.deploy.classifiers import CLASSIFIERS, decided, named, states
from tests.deploy.decided import module, watched
from tests.deploy.test_c import CHECKED, HEARD, answers, compiled
from tests.each import each

# Every joint state is asked for, those that cannot occur too.
pytestmark = pytest.mark.filterwarnings("ignore:The network gives")


@each("name", CLASSIFIERS)
def test_every_state_is_decided_as_the_network_does(name):
    classifier = CLASSIFIERS[name]()
    decide = module(to_python(classifier))["decide"]
    for row in states(classifier):
        asked = []
        got = decide(watched(named(classifier, row), asked))
        posterior, is_called = decided(classifier, row)
        assert (got.label == classifier.positive_state) == is_called
        assert tuple(asked) == got.computed
        assert got.cost == len(asked)
        seen = [
            state if of in asked else -1
            for of, state in zip(classifier.features, row, strict=True)
        ]
        of_seen = logit(np.clip(decided(classifier, seen)[0], 1e-300, 1 - 1e-16))
        if abs(of_seen) < 30 and not np.isclose(posterior, classifier.threshold):
            assert got.score == pytest.approx(of_seen, 1e-6, 1e-9)


@each("name", CLASSIFIERS)
def test_c_decides_alike_and_no_sanitiser_complains(name, tmp_path):
    classifier = CLASSIFIERS[name]()
    policy = policy_from(classifier)
    rows = np.array(list(states(classifier)), dtype=float)
    rows[rows < 0] = np.nan
    got = answers(
        compiled(tmp_path, to_c(classifier), CHECKED), rows[:, list(policy.places)]
    )
    want = [decided(classifier, row)[1] for row in states(classifier)]
    assert got[:, 0].astype(bool).tolist() == want


SCRIPT = """
const rows = JSON.parse(require("fs").readFileSync(0, "utf-8"));
console.log(JSON.stringify(rows.map((row) => {
  const said = decide(policy, (j) => row[j] < 0 ? NaN : row[j]);
  return [said.label, said.impossible];
})));
"""


@each("name", ["xor", "either", "tree"])
def test_what_cannot_occur_is_told_in_every_language(name, tmp_path):
    classifier = CLASSIFIERS[name]()
    decide = module(to_python(classifier))["decide"]
    rows, found = list(states(classifier)), []
    for row in rows:
        got = decide(named(classifier, row))
        asked = [j for j, of in enumerate(classifier.features) if of in got.computed]
        of_row = {classifier.features[j]: row[j] for j in asked if row[j] >= 0}
        chance = joint(classifier.network, (classifier.target,), of_row).sum()
        assert got.impossible == (chance == 0)
        assert ("cannot occur" in got.why) == got.impossible
        assert np.isfinite(got.score)
        found.append((got.label, got.impossible))
    assert any(impossible for _, impossible in found) == (name != "tree")

    places = list(policy_from(classifier).places)
    codes = np.array(rows, dtype=float)[:, places]
    program = compiled(tmp_path, to_c(classifier), CHECKED)
    told = np.where(codes < 0, np.nan, codes)
    cannot = np.array([impossible for _, impossible in found])
    for some, n_told in ((told[cannot], cannot.sum()), (told[~cannot], 0)):
        lines = "\n".join(" ".join(map(repr, row)) for row in some.tolist())
        run = subprocess.run([program], input=lines, **HEARD)
        assert run.stderr.count("cannot occur") == n_told
        assert len(run.stdout.splitlines()) == len(some)
        assert "nan" not in run.stdout
    page = to_html(classifier).split("<script>")[1]
    script = page.split("// Asks for one test at a time")[0] + SCRIPT
    (tmp_path / "policy.js").write_text(script)
    command = ["node", tmp_path / "policy.js"]
    ran = subprocess.run(command, input=json.dumps(codes.tolist()), **HEARD)
    assert [tuple(one) for one in json.loads(ran.stdout)] == found


def test_components_that_features_share_are_paid_once():
    classifier = bundled_classifier("quiz")
    names = classifier.features
    prices = FeatureHypergraph(
        np.vstack([np.ones(len(names)), np.eye(len(names))]),
        [5.0, *np.ones(len(names))],
        names,
        unit="min",
    )
    priced = PricedNetwork(classifier, prices)
    decide = module(to_python(priced))["decide"]
    for row in states(classifier):
        got = decide(named(classifier, row))
        assert got.cost == (prices.cost(list(got.computed)) if got.computed else 0.0)
    bill = itemised(policy_from(priced), [0.0] * len(names))
    assert [line.cost for line in bill.lines[:2]] == [6.0, 1.0]


probabilities = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(1e-6, 1 - 1e-6)).map(
    lambda p: [p, 1.0 - p]
)


@settings(max_examples=10)
@given(
    st.lists(st.tuples(probabilities, probabilities), min_size=1, max_size=4),
    probabilities,
    st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]),
)
def test_random_naive_bayes_decides_alike(tables, prior, threshold):
    names = [f"x{k}" for k in range(len(tables))]
    network = BayesianNetwork(
        {"C": ("+", "-")} | dict.fromkeys(names, ("u", "v")),
        dict.fromkeys(names, ("C",)),
        {"C": prior} | dict(zip(names, map(list, tables), strict=True)),
    )
    classifier = BayesianClassifier(network, "C", "+", names, threshold)
    decide = module(to_python(classifier))["decide"]
    for row in states(classifier):
        posterior, is_called = decided(classifier, row)
        if abs(posterior - threshold) > 1e-9:
            assert (decide(named(classifier, row)).label == "+") == is_called
