"""From a traced extractor to a file that runs elsewhere and stays within the budget."""

import dataclasses
import json
import subprocess
import sys

import numpy as np
import pytest

from explorer.export.deployed import point_files
from solvers import Frontier, all_methods, split_dataset, trace_frontier
from solvers.datasets.extractors import all_extractors, measuring_extractor

N_IMAGES, N_RUN = 300, 20
#: Runs what was taken away, where nothing of ours is, and counts who is called.
ELSEWHERE = """
import json, sys
from collections import Counter
import numpy as np
import policy

called = Counter()

def count(frame, event, _):
    if event == "call" and frame.f_code.co_filename.endswith("policy.py"):
        called[frame.f_code.co_name] += 1

answers = []
for image in np.load("images.npy"):
    sys.setprofile(count)
    decision = policy.decide_raw(image)
    sys.setprofile(None)
    answers.append([str(decision.label), decision.cost])
ours = [name for name in sys.modules if name in ("solvers", "explorer")]
print(json.dumps({"answers": answers, "called": called, "ours": ours}))
"""


@pytest.fixture(scope="module")
def way(tmp_path_factory):
    """What was learned, the chosen point, its budget, and what ran elsewhere."""
    folder = tmp_path_factory.mktemp("elsewhere")
    one = all_extractors()["by_hand"]
    images, labels = one.raw()
    few = dataclasses.replace(one, raw=lambda: (images[:N_IMAGES], labels[:N_IMAGES]))
    *_, last = measuring_extractor(few)
    data = last.found.dataset
    points = trace_frontier(all_methods()["static_prefix"](), data)
    budget = data.hypergraph.total_cost / 2
    point = Frontier(list(points), "max").best_within(budget)
    text = point_files(point, split_dataset(data), "python")["policy.py"]
    (folder / "policy.py").write_text(text, "utf-8")
    np.save(folder / "images.npy", np.array(images[:N_RUN]))
    (folder / "elsewhere.py").write_text(ELSEWHERE, "utf-8")
    ran = subprocess.run(
        [sys.executable, "elsewhere.py"],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={"OMP_NUM_THREADS": "1"},
    )
    return data, point, budget, json.loads(ran.stdout)


def test_what_runs_elsewhere_stays_within_the_budget(way):
    data, point, budget, told = way
    costs = [cost for _, cost in told["answers"]]
    assert max(costs) <= budget
    assert costs == pytest.approx([data.hypergraph.cost(point.features)] * N_RUN)
    assert told["ours"] == []


def test_it_calls_what_was_chosen_once_an_image_and_nothing_else(way):
    data, point, _, told = way
    graph = data.hypergraph
    needed = graph.required_components(point.features)
    for name, is_needed in zip(graph.components, needed, strict=True):
        assert told["called"].get(name, 0) == (N_RUN if is_needed else 0), name
    assert 0 < needed.sum() < len(needed)


def test_its_answers_are_those_of_the_model(way):
    data, point, _, told = way
    labels = [label for label, _ in told["answers"]]
    assert labels == point.model.predict(data.X[:N_RUN]).tolist()
