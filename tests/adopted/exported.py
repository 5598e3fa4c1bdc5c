"""An adopted model in every form in which it decides: rows at once, Python, C, page."""

import json
import subprocess
from pathlib import Path

import numpy as np

from solvers.decisions.running import run
from solvers.deploy import html, policy_from, to_c, to_python
from solvers.deploy.text import part_text


def check_everywhere(adopted, X, folder, n_slow=150):
    """All forms say the same of rows, and compute and charge the same.

    Of `n_slow` rows the plain Python and the page are asked.
    """
    said = adopted.decide(X)
    n_outputs = 1 if len(adopted.classes_) == 2 else len(adopted.classes_)
    ran = run(adopted.program(), X, n_outputs)
    assert np.array_equal(ran.scores, said.scores)
    assert np.array_equal(ran.acquired, said.acquired)
    policy = policy_from(adopted)
    places = list(policy.places)
    check_c(adopted, X[:, places], said, folder, n_outputs, places)
    rows = X[:n_slow, places].tolist()
    check_python(adopted, rows, said, policy)
    check_page(policy, rows, said, folder)
    return said


def check_c(adopted, rows, said, folder, n_outputs, places):
    for file, text in to_c(adopted).items():
        (folder / file).write_text(text)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    sources = ["policy.c", "policy_example.c"]
    traced = ["-DPOLICY_TRACE", "-fsyntax-only"]  # test_c compiles one
    if n_outputs == 1:
        subprocess.run(["gcc", *flags, *traced, *sources], cwd=folder, check=True)
    command = ["gcc", *flags, *sources, "-lm", "-o", "policy"]
    subprocess.run(command, cwd=folder, check=True)
    told = "\n".join(" ".join(map(repr, row)) for row in rows.tolist())
    ran = subprocess.run(
        [folder / "policy"], input=told, capture_output=True, text=True, check=True
    )
    got = np.array([line.split() for line in ran.stdout.splitlines()], dtype=float)
    assert np.array_equal(adopted.classes_[got[:, 0].astype(int)], said.labels)
    scores = said.scores.reshape(len(rows), -1)
    assert np.allclose(got[:, 1 : 1 + n_outputs], scores, 1e-9, 1e-9)
    assert np.allclose(got[:, 1 + n_outputs], said.cost)
    bits = got[:, 2 + n_outputs : 2 + n_outputs + len(places)]
    assert np.array_equal(bits, said.acquired[:, places])


def check_python(adopted, rows, said, policy):
    file = {"__name__": "policy"}
    exec(to_python(adopted), file)
    walker, known = adopted.walker(), np.array(adopted.hypergraph.features)
    for i, row in enumerate(rows):
        sample = dict(zip(policy.features, row, strict=True))
        got = file["decide"](as_given(sample, policy))
        assert got.label == said.labels[i] == walker.decide(sample.__getitem__)
        assert np.allclose(got.score, said.scores[i], 1e-9, 1e-9)
        assert set(got.computed) == set(known[said.acquired[i]])


def as_given(sample, policy):
    """A sample with words in place of codes."""
    words = [(*kind.words, "none of these") for kind in policy.kinds]
    return {
        name: words[j][int(value)]
        if policy.kinds[j].kind == "listed" and value == value
        else value
        for j, (name, value) in enumerate(sample.items())
    }


def check_page(policy, rows, said, folder):
    """The page's own script, without a browser."""
    script = f"""{part_text("machine.js")}
const policy = {html._script(policy)};
const rows = JSON.parse(require("fs").readFileSync("rows.json", "utf8"));
console.log(JSON.stringify(rows.map((row) => {{
  const asked = new Set();
  const trail = [];
  const read = (j) => {{ // as the page does, which notes where it was asked
    asked.add(j);
    trail.at(-1).bought = j;
    return row[j] ?? NaN;
  }};
  const said = decide(policy, read, trail);
  return [said.label, said.scores, [...asked]];
}})));"""
    Path(folder / "page.js").write_text(script)
    told = [[None if value != value else value for value in row] for row in rows]
    (folder / "rows.json").write_text(json.dumps(told))
    ran = subprocess.run(
        ["node", "page.js"], cwd=folder, capture_output=True, text=True, check=True
    )
    for i, (label, scores, asked) in enumerate(json.loads(ran.stdout)):
        assert label == said.labels[i]
        assert np.allclose(np.squeeze(scores), said.scores[i], 1e-9, 1e-9)
        want = np.flatnonzero(said.acquired[i, list(policy.places)])
        assert sorted(asked) == want.tolist()
