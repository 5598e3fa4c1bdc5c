"""The page's script decides as the estimator does, outside of a browser as well."""

import json
import shutil
import subprocess
from importlib.resources import files

import numpy as np
import pytest
from scipy.special import expit

from solvers.deploy import policy_from
from solvers.deploy.html import _script

from .models import NAMES, fitted

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None, reason="node is not installed"
)
ASKED = """
const rows = JSON.parse(require("fs").readFileSync(0, "utf-8"));
console.log(JSON.stringify(rows.map((row) => {
  const read = new Set();
  const said = decide(policy, (j) => { read.add(j); return row[j]; });
  return [said.label, said.scores, [...read]];
})));
"""


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_decided_as_the_estimator_does(name, tmp_path):
    model, X, said = fitted(name)
    policy = policy_from(model)
    machine = files("solvers.deploy").joinpath("parts", "machine.js").read_text()
    script = tmp_path / "policy.js"
    script.write_text(f"const policy = {_script(policy)};\n{machine}\n{ASKED}")
    ran = subprocess.run(
        ["node", script],
        input=json.dumps(X[:, list(policy.places)].tolist()),
        capture_output=True,
        text=True,
        check=True,
    )
    labels, scores, read = zip(*json.loads(ran.stdout), strict=True)
    assert list(labels) == said.labels.tolist()
    squash = expit if name == "trimmed_naive_bayes" else np.asarray
    want = said.scores.reshape(len(X), -1)
    assert np.allclose(squash(np.array(scores)), squash(want), 1e-9, 1e-9)
    places = np.array(policy.places)
    for i, asked in enumerate(read):
        assert set(places[list(asked)]) == set(np.flatnonzero(said.acquired[i]))
