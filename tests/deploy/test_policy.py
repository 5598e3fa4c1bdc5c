"""Random policies: trees, cascades and thresholds decide alike in every language."""

import shutil

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solvers.decisions.program import (
    Answered,
    ExitIf,
    Fork,
    GatedFork,
    ProgramNode,
    Rectified,
)
from solvers.deploy.c import c_files
from solvers.deploy.policy import (
    DeployablePolicy,
    PolicyColumn,
    ValueKind,
    toward_first,
)
from solvers.deploy.python import python_text

from .test_c import answers, compiled

N_FEATURES = 3
numbers = st.integers(-6, 6).map(lambda k: k / 2)  # exact: rows lie on bounds
rows = st.lists(numbers, min_size=N_FEATURES, max_size=N_FEATURES)


@st.composite
def policies(draw, most_classes=3):
    n_classes = draw(st.integers(2, most_classes))
    width = 1 if n_classes == 2 else n_classes
    n_nodes = draw(st.integers(1, 6))
    nodes = [draw(node_at(place, n_nodes, width)) for place in range(n_nodes - 1)] + [
        ProgramNode(tuple(draw(numbers) for _ in range(width)))
    ]
    columns = [PolicyColumn(f"x{j}", j) for j in range(N_FEATURES)]
    hinges = ("fold", "above", "below")
    if draw(st.booleans()):
        columns += [
            PolicyColumn(f"x{j} hinged", j, hinge=hinges[j], at=draw(numbers))
            for j in range(N_FEATURES)
        ]
    needs = [
        tuple(sorted(draw(st.sets(st.integers(0, 2), min_size=1))))
        for _ in range(N_FEATURES)
    ]
    return DeployablePolicy(
        title="Random",
        places=(0, 1, 2),
        features=("x0", "x1", "x2"),
        kinds=(ValueKind(),) * N_FEATURES,
        columns=tuple(columns),
        components=("a", "b", "c"),
        costs=(1.0, 2.0, 4.0),
        needs=tuple(needs),
        unit="us",
        classes=tuple(range(n_classes)),
        nodes=tuple(nodes),
        roots=(0,) if draw(st.booleans()) else tuple(range(n_nodes)),
        cut=draw(numbers),
        calls_at_cut=draw(st.booleans()),
    )


@st.composite
def node_at(draw, place, n_nodes, width):
    later = st.integers(place + 1, n_nodes - 1)
    kinds = ["answer", "fork", "exit", "rectified", *(["gate"] if width == 1 else [])]
    kind = draw(st.sampled_from(kinds))
    size = {"gate": 2, "rectified": 1}.get(kind, width)
    rule = {
        "answer": lambda: Answered(),
        "fork": lambda: Fork(draw(numbers), draw(later), draw(later)),
        "exit": lambda: exit_rule(draw, width, draw(later)),
        "gate": lambda: GatedFork(
            tuple(draw(numbers) for _ in range(4)), draw(later), draw(later)
        ),
        "rectified": lambda: Rectified(tuple(draw(numbers) for _ in range(width))),
    }[kind]()
    asked = draw(st.lists(st.integers(0, N_FEATURES - 1), max_size=3, unique=True))
    return ProgramNode(
        tuple(draw(numbers) for _ in range(size)),
        tuple((j, tuple(draw(numbers) for _ in range(size))) for j in asked),
        tuple(draw(st.lists(st.integers(0, N_FEATURES - 1), max_size=1))),
        rule,
        bound=2.0 if kind == "gate" or (size == 1 and draw(st.booleans())) else 0.0,
        scale=draw(st.sampled_from([1.0, 0.5])),
        shift=draw(numbers),
    )


def exit_rule(draw, width, onward):
    kind = draw(
        st.sampled_from(["size", "outside"] if width == 1 else ["claim", "gap"])
    )
    low = draw(numbers)
    least = (low, low + 2.0) if kind == "outside" else (abs(low),) * width
    return ExitIf(kind, (1.0,) * width, least, onward)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(policy=policies(), table=st.lists(rows, min_size=1, max_size=8))
def test_python_and_c_decide_alike(tmp_path, policy, table):
    space = {"__name__": "policy"}
    exec(python_text(policy), space)
    got = answers(compiled(tmp_path, c_files(policy)), np.array(table))
    for row, line in zip(table, got, strict=True):
        said = space["decide"](dict(zip(policy.features, row, strict=True)))
        n = policy.n_outputs
        assert line[0] == said.label
        assert np.allclose(line[1 : 1 + n], said.score, 1e-12, 1e-12)
        assert line[1 + n] == said.cost
        bits = line[2 + n : 2 + n + N_FEATURES].astype(bool)
        assert set(np.array(policy.features)[bits]) == set(said.computed)
        needed = {part for name in said.computed for part in space["NEEDS"][name]}
        assert line[2 + n + N_FEATURES :].tolist() == [
            float(part in needed) for part in policy.components
        ], "each component once, none unpaid"


@given(policy=policies(most_classes=2), row=rows)
def test_a_policy_of_the_other_order_says_the_same_with_scores_negated(policy, row):
    sample = dict(zip(policy.features, row, strict=True))
    one, other = {"__name__": "one"}, {"__name__": "other"}
    exec(python_text(policy), one)
    exec(python_text(toward_first(policy)), other)
    said, turned = one["decide"](sample), other["decide"](sample)
    assert turned.score == -said.score
    assert turned.label == said.label
    assert turned._replace(score=0, said={}) == said._replace(score=0, said={})
    assert turned.said == {n: [-score for score in of] for n, of in said.said.items()}
