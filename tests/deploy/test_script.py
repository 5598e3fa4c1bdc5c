"""The page's script decides as the estimator does, outside of a browser as well."""

import json
import subprocess
from importlib.resources import files

import numpy as np
import pytest
from scipy.special import expit

from solvers.deploy import policy_from
from solvers.deploy.html import _script
from tests.each import each

from .models import MANY, NAMES, fitted, table

ASKED = """
const tables = JSON.parse(require("fs").readFileSync(0, "utf-8"));
console.log(JSON.stringify([MODELS].map(([policy, places, rows]) => rows.map((row) => {
  const read = new Set();
  const said = decide(policy, (j) => { read.add(j); return row[places[j]]; });
  return [said.label, said.scores, [...read]];
}))));
"""
N_ROWS = 200  # of those that it was trained on, and of others


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """What the script says of rows, model by model."""
    machine = files("solvers.deploy").joinpath("parts", "machine.js").read_text()
    policies = [policy_from(fitted(name)[0]) for name in NAMES]
    asked = ", ".join(
        f"[{_script(policy)}, {list(policy.places)}, tables[{int(name in MANY)}]]"
        for name, policy in zip(NAMES, policies, strict=True)
    )
    script = tmp_path_factory.mktemp("page") / "policies.js"
    script.write_text(f"{machine}\n{ASKED.replace('MODELS', asked)}")
    ran = subprocess.run(
        ["node", script],
        input=json.dumps([table(n)[0][:N_ROWS].tolist() for n in (2, 3)]),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(NAMES, json.loads(ran.stdout), strict=True))


@each("name", NAMES)
def test_every_row_is_decided_as_the_estimator_does(name, answers):
    model, _, said = fitted(name)
    labels, scores, read = zip(*answers[name], strict=True)
    assert list(labels) == said.labels[:N_ROWS].tolist()
    squash = expit if name == "trimmed_naive_bayes" else np.asarray
    want = said.scores[:N_ROWS].reshape(N_ROWS, -1)
    assert np.allclose(squash(np.array(scores)), squash(want), 1e-9, 1e-9)
    places = np.array(policy_from(model).places)
    for i, asked in enumerate(read):
        assert set(places[list(asked)]) == set(np.flatnonzero(said.acquired[i]))
