"""Tables written as people of five places write them say the same in every file."""

import io
import json
import shutil
import subprocess
from datetime import date, timedelta

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet
from sklearn.pipeline import Pipeline

from solvers import all_methods, read_table, split_dataset
from solvers.datasets import from_frame
from solvers.datasets.columns.coding import coded_table, decoded_column
from solvers.deploy import policy_from, to_c, to_html, to_python
from tests.datasets.written_forms import workbook
from tests.deploy.test_c import compiled
from tests.values.printers import PLACES

N = 60
# No and yes, and what a clerk of the place writes where nothing is known.
WORDS = {
    "en": ("No", "Yes", "n.a."),
    "de": ("nein", "ja", "k. A."),
    "fr": ("non", "oui", "n.c."),
    "sv": ("nej", "ja", "saknas"),
    "hi": ("no", "yes", "-"),
}
CODES = np.array(["007", "07", "7", "00120", "0120", "1e5"])


def table(place, no_yes, seed, size):
    """Values of a table, what stands in its cells, and labels; gaps are None."""
    rng = np.random.default_rng(seed)
    cents = rng.integers(-(10**size), 10**size, N)
    cents[:2] = 25, 123_456_789
    days = [date(1999, 12, 31) + timedelta(int(k)) for k in rng.integers(0, 9000, N)]
    days[0] = date(1999, 12, 31)
    shares = rng.integers(0, 1000, N)
    counts = rng.integers(0, 10**size, N)
    codes = CODES[np.r_[np.arange(6), rng.integers(0, 6, N - 6)]]
    answers = np.r_[0, 1, rng.integers(0, 2, N - 2)]
    values = {
        "amount": cents / 100,
        "share": shares / 1000,
        "count": counts.astype(float),
        "seen": pd.to_datetime(days).astype("datetime64[us]"),
        "code": codes,
        "agreed": np.array(no_yes)[answers],
    }
    cells = {
        "amount": [place.amount(cent / 100) for cent in cents],
        "share": [place.share(share / 10) for share in shares],
        "count": [place.number(int(count)) for count in counts],
        "seen": [place.date(day) for day in days],
        "code": codes,
        "agreed": values["agreed"],
    }
    is_ill = (cents > np.median(cents)) ^ (codes == "07") ^ (rng.random(N) < 0.1)
    frames = [pd.DataFrame(columns, dtype=object) for columns in (values, cells)]
    for name in values:
        gone = rng.random(N) < 0.1
        gone[:6] = False  # what tells how the column is written
        for frame in frames:
            frame.loc[gone, name] = None
    natural = frames[0].infer_objects().assign(y=np.where(is_ill, "ill", "well"))
    return natural, frames[1].assign(y=natural["y"])


def marked(cells, mark):
    return cells.where(cells.notna(), mark)


def files(frame, sep):
    """A frame in every format."""
    packed, framed = io.BytesIO(), io.BytesIO()
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    parquet.write_table(arrow, packed)
    feather.write_feather(arrow, framed)
    return {
        "CSV": frame.to_csv(index=False, sep=sep).encode(),
        "Excel": workbook(frame, names=["Data"]),
        "Parquet": packed.getvalue(),
        "Arrow": framed.getvalue(),
    }


def as_people_have_it(data):
    """Values by column: numbers, days since 1970, words; None for a gap."""
    found = {}
    for column, codes in zip(data.schema, data.X.T, strict=True):
        values = decoded_column(column, codes) if column.is_listed else codes
        found[column.name] = [None if v is None or v != v else v for v in values]
    return found


def check_every_file(natural, cells, mark, sep, told):
    data = {
        "frame": from_frame(natural, "y"),
        "frame of words": from_frame(marked(cells, mark), "y", **told),
    }
    for what, file in files(marked(cells, mark), sep).items():
        data[f"{what} of words"] = read_table(file, "y", **told)
    for what, file in files(natural, ",").items():
        data[what] = read_table(file, "y")
    wanted = as_people_have_it(data["frame"])
    assert wanted.keys() == {*natural.columns} - {"y"}
    for what, found in data.items():
        assert as_people_have_it(found) == wanted, what
        assert found.y.tolist() == natural["y"].tolist(), what
    return data["CSV of words"]


def fitted(data, method):
    split = split_dataset(data)
    hypergraph = split.encoder.encoded_hypergraph(data.hypergraph)
    model = all_methods()[method](hypergraph)
    model.fit(split.X("train"), split.y("train"))
    return Pipeline([("columns", split.encoder), ("classifier", model)])


def in_python(model, rows, folder):
    space = {"__name__": "policy"}
    exec(to_python(model), space)
    return [space["decide"](row).label for row in rows.to_dict("records")]


def in_c(model, rows, folder):
    policy = policy_from(model)
    program = compiled(folder, to_c(model))
    lines = rows[list(policy.features)].to_numpy().tolist()
    text = "".join("\t".join(row) + "\n" for row in lines)
    command = [program, "--words"]
    run = subprocess.run(command, input=text.encode(), capture_output=True, check=True)
    said = [int(line.split()[0]) for line in run.stdout.decode().splitlines()]
    return [policy.classes[label] for label in said]


# What a person types into the page, or chooses from the words that it offers.
TYPED = """
const rows = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(rows.map((row) => decide(policy, (k) => {
  const [kind, words] = policy.kinds[k];
  if (policy.forms[k]) return readWord(row[k], policy.forms[k]);
  const text = row[k].trim();
  if (kind === "date") return Date.parse(text) / 864e5; // as a field of dates has it
  if (words.includes(text)) return words.indexOf(text);
  return policy.gaps.includes(text) ? NaN : words.length;
}).label)));
"""


def in_javascript(model, rows, folder):
    machine = to_html(model).split("<script>")[1].split("// Asks for one test")[0]
    (folder / "page.js").write_text(machine + TYPED, "utf-8")
    told = json.dumps(rows[list(policy_from(model).features)].to_numpy().tolist())
    command = ["node", folder / "page.js"]
    run = subprocess.run(command, input=told, capture_output=True, text=True)
    assert not run.returncode, run.stderr
    return json.loads(run.stdout)


EXPORTS = {None: in_python, "gcc": in_c, "node": in_javascript}


@pytest.mark.parametrize("name", WORDS)
def test_all_files_and_exports_say_the_same(name, tmp_path_factory):
    place, (*no_yes, unknown) = PLACES[name], WORDS[name]
    sep = ";" if place.decimal == "," else ","

    @settings(
        max_examples=2,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],  # a compiler runs in each
        suppress_health_check=[*HealthCheck],
    )
    @given(
        st.integers(0, 2**32 - 1),
        st.sampled_from([4, 6, 9]),
        st.sampled_from([unknown, "", "?", " NA "]),
        st.sampled_from(["csdt", "l1"]),
    )
    def compared(seed, size, mark, method):
        natural, cells = table(place, no_yes, seed, size)
        told = {"marks": {"gaps": [unknown]}} if mark == unknown else {}
        data = check_every_file(natural, cells, mark, sep, told)
        model = fitted(data, method)
        rows = marked(cells, mark).drop(columns="y")
        rows.loc[0, "code"] = "70"  # which training does not know
        rows.loc[1, "code"] = f" {rows.loc[1, 'code']} "
        labels = model.predict(rows).tolist()
        codes = coded_table(data.schema, rows)
        assert np.array_equal(codes[2:], data.X[2:], equal_nan=True)
        for tool, decided in EXPORTS.items():
            if tool is None or shutil.which(tool):
                folder = tmp_path_factory.mktemp("exported")
                assert decided(model, rows, folder) == labels, tool

    compared()
