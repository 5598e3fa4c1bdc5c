"""Every loader of files from people, with a file that it reads."""

import base64
import io
import json
import tempfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import feather, parquet
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from skops import io as skops_io

from explorer.commands.export import run_files
from explorer.commands.measure import read_samples
from explorer.export import load_estimator
from explorer.pages.structured.scenes import text_of
from explorer.session.saved import read_session
from explorer.session.saved_drawing import graph_text, read_graph_text
from solvers import preview_table, read_table
from solvers.bayes.readers import read_model
from solvers.certify import certified_frontier, read_certificate, write_certificate
from solvers.costs.interchange import as_text
from solvers.datasets import read_kinds
from solvers.frontier.sweep import sweep
from solvers.frontier.sweep.parts import read_part, write_part
from solvers.markov.own_data import read_graph
from solvers.methods.l1 import L1Classifier
from tests.bayes.small_files import BIF, NET, UAI, XMLBIF
from tests.certify.cases import random_instance
from tests.explorer.worlds import DECLARED, World, own_table
from tests.frontier.sweep.worlds import tiny
from tests.fuzz import test_files, test_networks
from tests.fuzz.containers import refooted, remessaged, repacked, revalued
from tests.fuzz.grammars import rearranged


class Loader(NamedTuple):
    """A loader, and a file to break."""

    seed: bytes
    read: Callable[[bytes], Any]
    # Breaks it and keeps its grammar; every other file is broken byte by byte
    rearrange: Callable[[bytes, np.random.Generator], bytes] = rearranged


def _model() -> bytes:
    X = np.arange(12.0).reshape(6, 2)
    return skops_io.dumps(LogisticRegression().fit(X, [0, 1] * 3))


def _nested() -> bytes:
    """A Parquet file with nested, dated and packed columns."""
    frame = pd.DataFrame(
        {
            "number": np.arange(12.0),
            "list": [[1.0, 2.0], None, []] * 4,
            "day": pd.Timestamp("1970-01-01"),
            "word": pd.Categorical(["a", "b", None] * 4),
            "kind": ["good", "bad"] * 6,
        }
    )
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pandas(frame), buffer, compression="gzip")
    return buffer.getvalue()


def _arrow() -> bytes:
    buffer = io.BytesIO()
    feather.write_feather(test_files.TABLE, buffer, compression="uncompressed")
    return buffer.getvalue()


def _npz() -> bytes:
    buffer = io.BytesIO()
    rows = sparse.csr_array(np.arange(60).reshape(12, 5) % 3)
    parts = {"data": rows.data, "indices": rows.indices, "indptr": rows.indptr}
    np.savez(buffer, format="csr", shape=rows.shape, label=[0, 1] * 6, **parts)
    return buffer.getvalue()


def _labelled(data: bytes) -> Any:
    preview_table(data)
    return read_table(data, "label")


def _workbook() -> bytes:
    buffer = io.BytesIO()
    test_files.TABLE.to_excel(buffer, index=False)
    return buffer.getvalue()


def _npy() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.arange(12.0).reshape(6, 2))
    return buffer.getvalue()


def _signals() -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, signal=np.arange(12.0).reshape(6, 2), name=[*"abcdef"])
    return buffer.getvalue()


def _bundle() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("README.md", "A run.")
        archive.writestr("estimator.skops", _model())
        archive.writestr("selection.json", json.dumps({"data": "own", "worth": []}))
    return buffer.getvalue()


def _certificate() -> bytes:
    case = random_instance(3, n_features=4, n_components=3)
    budget = 0.4 * case.hypergraph.total_cost
    *_, floor = certified_frontier(
        *case.arguments, ridge=case.ridge, budgets=[budget], tol=1e-2
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "floor.json"
        write_certificate(path, floor.certificate, *case.arguments)
        record = json.loads(path.read_text("utf-8"))
    return json.dumps({k: v for k, v in record.items() if k not in "Xy"}).encode()


def _part() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "part.parquet"
        write_part(path, [*sweep({"l1": L1Classifier(n_alphas=2)}, tiny())], "digest")
        return path.read_bytes()


def _relinked(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a link's drawing in which a few values are others."""
    plain = zlib.decompress(base64.urlsafe_b64decode(data + b"=="))
    return base64.urlsafe_b64encode(zlib.compress(revalued(plain, rng)))


def _at_path(read: Callable[[Path], Any], name: str) -> Callable[[bytes], Any]:
    """Return a loader of files as one of their bytes."""

    def read_bytes(data: bytes) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(data)
            return read(path)

    return read_bytes


def _samples(name: str) -> Callable[[bytes], Any]:
    return _at_path(lambda path: read_samples(path, None), name)


def _priced(nodes: bytes | None, links: bytes | None) -> Any:
    tables = (test_networks.NODES, test_networks.EDGES, nodes, links)
    return read_graph(*(t if t is None else text_of(t, "a.csv") for t in tables))


def _network(name: str) -> Callable[[bytes], Any]:
    return lambda data: read_model(data, name)


def loaders() -> dict[str, Loader]:
    """Return every loader by name."""
    read_any = test_files.read_any_table
    return {
        **{
            name: Loader(seed, read, refooted if "parquet" in name else rearranged)
            for name, (seed, read) in test_files.SEEDS.items()
        },
        "arrow": Loader(_arrow(), read_any, remessaged),
        "excel": Loader(_workbook(), read_any, repacked),
        "npz": Loader(_npz(), _labelled, repacked),
        "svmlight": Loader(b"1 1:0.5 7:2\n-1 3:1\n" * 6, _labelled),
        **{
            name: Loader(seed, read)
            for name, (seed, read) in test_networks.READERS.items()
        },
        "node costs": Loader(
            b"node,predicted,true,cost\n,one,two,3\na,two,one,0.5\n",
            lambda data: _priced(data, None),
        ),
        "link costs": Loader(
            b"source,target,predicted_source,predicted_target,true_source,"
            b"true_target,cost\n,,one,one,two,two,3\na,b,one,two,two,one,0.5\n",
            lambda data: _priced(None, data),
        ),
        "kinds": Loader(
            b'{"columns": {"cp": {"kind": "category", "values": ["a"]}, "ca": "code"}}',
            lambda data: read_kinds(as_text(data)),
            revalued,
        ),
        "certificate": Loader(
            _certificate(), _at_path(read_certificate, "floor.json"), revalued
        ),
        "sweep part": Loader(_part(), _at_path(read_part, "part.parquet"), refooted),
        "samples json": Loader(
            b'{"signal": [[1, 2.5], [3, 4]], "name": ["a", "b"]}',
            _samples("s.json"),
            revalued,
        ),
        "samples npy": Loader(_npy(), _samples("s.npy")),
        "samples npz": Loader(_signals(), _samples("s.npz"), repacked),
        "bundle": Loader(_bundle(), _at_path(run_files, "run.zip"), repacked),
        "link": Loader(
            (graph_text(test_files.HYPERGRAPH) or "").encode(),
            lambda data: read_graph_text(data.decode("latin-1")),
            _relinked,
        ),
        "parquet nested": Loader(_nested(), read_any, refooted),
        "bif": Loader(BIF.encode(), _network("a.bif")),
        "xmlbif": Loader(XMLBIF.encode(), _network("a.xml")),
        "net": Loader(NET.encode(), _network("a.net")),
        "uai of a file": Loader(UAI.encode(), _network("a.uai")),
        "skops": Loader(_model(), load_estimator, repacked),
        "session": Loader(
            json.dumps(json.loads(World(own_table()).autosave.text())).encode(),
            lambda data: read_session(data, DECLARED),
            revalued,
        ),
    }
