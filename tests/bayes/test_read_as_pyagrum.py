"""XMLBIF, NET and UAI are read as pyAgrum reads them, but for what it gets wrong.

It reads all files in one process of its own: where warnings are errors, importing it
ends the process.
"""

import json
import subprocess
import sys
from functools import partial
from itertools import product
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from solvers.bayes.readers import read_network_text
from tests.bayes.test_read_as_pgmpy import FILES, network_of

SUFFIXES = {"xmlbif": "bifxml", "net": "net", "uai": "uai"}
# States with signs in them, tiny numbers, many parents, states that are numbers.
KINDS = ["asia", "child", "insurance", "win95pts", "water", "munin1"]
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


def by_pyagrum(paths):
    """Of each file states, and tables with the own states last, parents before them."""
    subprocess.run([sys.executable, "-c", READ, *paths], check=True)
    for path in paths:
        states, axes = json.loads(Path(f"{path}.json").read_text("utf-8"))
        with np.load(f"{path}.npz") as tables:
            yield states, axes, dict(tables)


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


FORMATS = {
    "xmlbif": (as_xmlbif, as_xmlbif, 0.0),
    "net": (as_net, as_net, SINGLE),
    # They take the first parent as the fastest, the format the last one.
    "uai": (as_uai, partial(as_uai, turned=True), SINGLE),
}


def test_networks_are_read_as_pyagrum_reads_them(tmp_path):
    networks = {name: network_of(file) for name, file in FILES.items() if name in KINDS}
    assert len(networks) == len(KINDS)
    cases = list(product(networks, FORMATS))
    paths = [tmp_path / f"{name}.{SUFFIXES[format]}" for name, format in cases]
    for (name, format), path in zip(cases, paths, strict=True):
        path.write_text(FORMATS[format][1](networks[name]), "utf-8")
    for (name, format), theirs in zip(cases, by_pyagrum(paths), strict=True):
        network, (written, _, tolerance) = networks[name], FORMATS[format]
        ours = read_network_text(written(network), format)
        names = {of[1:]: of for of in ours.states} if format == "uai" else None
        assert_same(ours, theirs, tolerance, names)
        tables = zip(ours.tables.values(), network.tables.values(), strict=True)
        for table, of in tables:
            assert np.array_equal(table, of), "not a bit is lost"
