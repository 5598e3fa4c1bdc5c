"""XMLBIF, NET and UAI are read as pyAgrum reads them, but for what it gets wrong.

It reads in a process of its own: where warnings are errors, importing it ends the
process.
"""

import json
import subprocess
import sys
from xml.sax.saxutils import escape

import numpy as np
import pytest

from solvers.bayes.readers import read_network_text
from tests.bayes.test_read_as_pgmpy import FILES, network_of

SUFFIXES = {"xmlbif": "bifxml", "net": "net", "uai": "uai"}
LARGE = 100_000  # bytes, packed: larger ones hold nothing of another kind
SINGLE = 3e-8  # They keep the numbers of NET and UAI in single precision
READ = """
import json, sys
import numpy as np
import pyagrum

for path in sys.argv[1:]:
    network = pyagrum.loadBN(path)
    states, axes, tables = {}, {}, {}
    for node in network.nodes():
        name = network.variable(node).name()
        states[name] = list(network.variable(node).labels())
        axes[name] = list(network.cpt(node).names)[::-1]
        tables[name] = network.cpt(node).toarray()
    np.savez(path + ".npz", **tables)
    with open(path + ".json", "w", encoding="utf-8") as file:
        json.dump([states, axes], file)
"""


def by_pyagrum(path):
    """States, and tables with the own states last, parents before them by name."""
    command = [sys.executable, "-c", READ, path]
    subprocess.run(command, check=True, capture_output=True)
    states, axes = json.loads(path.with_name(f"{path.name}.json").read_text("utf-8"))
    with np.load(path.with_name(f"{path.name}.npz")) as tables:
        return states, axes, dict(tables)


def listed(table):
    return " ".join(map(repr, table.ravel().tolist()))


def as_xmlbif(network):
    variables = "".join(
        f"<VARIABLE TYPE='nature'><NAME>{name}</NAME>"
        + "".join(f"<OUTCOME>{escape(state)}</OUTCOME>" for state in states)
        + "</VARIABLE>\n"
        for name, states in network.states.items()
    )
    definitions = "".join(
        f"<DEFINITION><FOR>{name}</FOR>"
        + "".join(f"<GIVEN>{parent}</GIVEN>" for parent in network.parents[name])
        + f"<TABLE>{listed(table)}</TABLE></DEFINITION>\n"
        for name, table in network.tables.items()
    )
    head = "<?xml version='1.0'?><BIF VERSION='0.3'><NETWORK><NAME>n</NAME>"
    return f"{head}{variables}{definitions}</NETWORK></BIF>"


def as_net(network):
    nodes = "".join(
        f"node {name}{{\n states = ({'  '.join(map(quoted, states))});\n}}\n"
        for name, states in network.states.items()
    )
    potentials = "".join(
        f"potential ({name} | {' '.join(network.parents[name])}){{\n"
        f" data = ({listed(table)});\n}}\n"
        for name, table in network.tables.items()
    )
    return f"net {{\n}}\n{nodes}{potentials}"


def quoted(name):
    return f'"{name}"'


def as_uai(network, *, turned=False):
    """`turned`: the parents of each table from the last to the first."""
    place = {name: k for k, name in enumerate(network.states)}
    scopes = []
    for name, k in place.items():
        parents = [place[of] for of in network.parents[name]]
        scopes.append([len(parents) + 1, *(parents[::-1] if turned else parents), k])
    return "\n".join(
        [
            f"BAYES {len(place)}",
            " ".join(str(len(states)) for states in network.states.values()),
            str(len(place)),
            *(" ".join(map(str, scope)) for scope in scopes),
            *(f"{table.size} {listed(table)}" for table in network.tables.values()),
            "",
        ]
    )


def assert_same(ours, theirs, tolerance, names=None):
    """The same states, parents and tables; `names`: what theirs are called in ours."""
    states, axes, tables = theirs
    named = names or dict(zip(states, states, strict=True))
    assert {named[of]: tuple(has) for of, has in states.items()} == dict(ours.states)
    for name, table in tables.items():
        own, axes_here = named[name], [named[of] for of in axes[name]]
        wanted = [*ours.parents[own], own]
        assert sorted(axes_here) == sorted(wanted)
        turned = table.transpose([axes_here.index(of) for of in wanted])
        np.testing.assert_allclose(ours.tables[own], turned, rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    "file",
    [file for file in FILES if file.stat().st_size <= LARGE],
    ids=lambda file: file.name.split(".")[0],
)
def test_every_network_is_read_as_pyagrum_reads_it(file, tmp_path):
    network = network_of(file)
    for format, text, for_them, tolerance in [
        ("xmlbif", as_xmlbif(network), as_xmlbif(network), 0.0),
        ("net", as_net(network), as_net(network), SINGLE),
        # They take the first parent as the fastest, the format the last one.
        ("uai", as_uai(network), as_uai(network, turned=True), SINGLE),
    ]:
        path = tmp_path / f"network.{SUFFIXES[format]}"
        path.write_text(for_them, "utf-8")
        ours = read_network_text(text, format)
        names = {of[1:]: of for of in ours.states} if format == "uai" else None
        assert_same(ours, by_pyagrum(path), tolerance, names)
        written = list(network.tables.values())
        for table, of in zip(ours.tables.values(), written, strict=True):
            assert np.array_equal(table, of), "not a bit is lost"
