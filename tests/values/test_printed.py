"""Python, JavaScript and C say of every word what the library says."""

import ast
import inspect
import json
import math
import shutil
import subprocess
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solvers.values import (
    DateForm,
    DurationForm,
    NumberForm,
    TimeForm,
    YesNoForm,
    reading,
)
from solvers.values.printed import c_reader, javascript_data, part_text

from .printers import PLACES

STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-g"]
CHECKED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
FORMS = [
    NumberForm(),
    NumberForm(".", ","),
    NumberForm(",", ".", currency="€", accounting=True),
    NumberForm(",", " ", percent="marked"),
    NumberForm(".", "'", percent="always"),
    NumberForm(".", ",", indian=True, currency="Rs.", percent="either"),
    NumberForm(".", ",", currency="R$", accounting=True),
    DateForm(),
    DateForm("dmy"),
    DateForm("mdy", compact=True),
    DateForm("ymd", monthly=True),
    TimeForm(),
    DurationForm(),
    DurationForm("m:s"),
    YesNoForm("nein", "Ja"),
    YesNoForm("a.b", "(c|d)*"),
]
WORDS = """\
0|-0|+5|-5|\u22125|1e5|1E-3|1e999|.5|5.|,5|5,|.|-|e5|1_2|\uff11\uff12|0x1f|inf|nan||1e
--5|1,234.5|1.234,5|1\u202f234,5|1 234|1'234|1\u2019234.5|12,34,567|1,23|0,123|01,234
1,234,56|$1,234.50|R$ 5|-R$5|R$-5|(12.00)|(R$ 12)|R$ -|-  R$|R$ (12.00)|12,5 €|€ -5
EUR 5|(5 €)|Rs.5|5%|12,5 %|12.5%|0|0,00|0,05|-3%|(3%)|Rs. 12 %|1e2%|5 %%|3|2024-12-31
2024-2-30|2024-02-29|2023-02-29|0001-01-01|0000-01-01|9999-12-31|10000-01-01
2024-12-31T23:59|2024-12-31 23:59:59.123456789|2024-12-31T24:00|2024-12-31 12:60
2024-12-31T1:05|2024-12-31T23:59Z|2024-12-31 23:59+01:00|2024-12-31 23:59 -0130
0001-01-01 00:00+14:00|9999-12-31 23:59-01|2024-01-01 00:00+24:00|2024-01-01 10:00 UTC
2024/12/31|2024.12.31|31.12.2024|31. 12. 2024|1.2.24|31.12.69|31.12.68|31/12/2024
12/31/2024|1-2-2024|24-12-31|31-12-24|31 Dec 2024|31. Dezember 2024|31-Dec-24
31DEC2024:10:00:00|Dec 31, 2024|December 31st 2024|Dec-2011|1. März 2020|1 août 2020
31 de diciembre de 2024|Tue, 31 Dec 2024 10:00:00 +0000|31 Foo 2024|2024-Dec-31
2 of May 1970|MAR 2020|20241231|20249999|20240131T120000Z|20240131T1200|2024-12
2024-13|08:30|8:30|23:59:59.5|24:00|24:01|12:00 am|12:00 PM|0:30 pm|13:00 pm|1:05 P.M.
08:60|08:30:60|8|26:30:00|-0:05:00|1 days 02:03:04.5|-1 days +23:59:59|1 day, 2:03:04
99:59|75:10|1:5|999999:00|1 day 2 h|2h 5m|5m|5m 3s|90 min|1.5 h|1,5 h
2 weeks, 3 days and 1 hour|250 µs|3 ms.|PT5M|P1DT2H|P|-P1W|pt|5|1 month|1 h 1 d|nein
JA|ja|yes|No|1|0|maybe|a.b|axb|(C|D)*|(c\x7cd)*|\ufeff 5 |\t5\r
""".replace("\n", "|").split("|")
WORDS += [
    "\u200e1,5\u200f",
    "1" * 200,
    "1" * 201,
    "\u202f" * 199 + "5",
    "\u202f" * 200 + "5",
]

cells = st.one_of(
    st.sampled_from(WORDS),
    st.text("0123456789.,' -+%$€()e:/TZhdmsp\u202f\u2212", max_size=12),
    st.builds(
        lambda place, number: place.amount(number),
        st.sampled_from([*PLACES.values()]),
        st.floats(-1e9, 1e9),
    ),
    st.builds(
        lambda place, moment: f"{moment:%H:%M:%S.%f}".join(
            [place.date(moment) + " ", ""]
        ),
        st.sampled_from([*PLACES.values()]),
        st.datetimes(datetime(1000, 1, 1)),
    ),
    st.timedeltas().map(str),
)
tables = st.lists(cells, min_size=300, max_size=300)


def plain(word):
    """A word that can be a line of a file."""
    return not {*"\n\0"} & {*word}


def in_python(folder, tables):
    """As an exported policy has it: the source of the module, and forms as printed."""
    space = {"__name__": "printed"}
    exec(inspect.getsource(reading), space)
    printed = [ast.literal_eval(ascii(form.printed)) for form in FORMS]
    return [[space["read_word"](word, form) for word in tables] for form in printed]


def in_node(folder, tables):
    script = folder / "values.js"
    ask = (
        "const words = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(forms.map((form) => words.map((word) => {"
        "const v = readWord(word, form);"
        "return Object.is(v, -0) ? '-0' : Number.isNaN(v) ? null : v; }))));"
    )
    forms = json.dumps([javascript_data(form) for form in FORMS])
    read = f"{part_text('values.js')}\nconst forms = {forms};\n"
    script.write_text(read + ask, "utf-8")
    run = subprocess.run(
        ["node", script],
        input=json.dumps(tables),
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        [v if v is None else float(v) for v in row] for row in json.loads(run.stdout)
    ]


MAIN = """
#include <stdio.h>
int main(void)
{
    static char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        size_t k;
        line[strcspn(line, "\\n")] = 0;
        for (k = 0; k < sizeof values_forms / sizeof *values_forms; ++k) {
            printf("%.17g ", values_read(line, values_forms + k));
        }
        printf("\\n");
    }
    return 0;
}
"""


def in_c(folder, tables):
    source, program = folder / "values.c", folder / "values"
    if not program.exists():
        source.write_text(c_reader(FORMS) + MAIN, "ascii")
        command = ["gcc", *STRICT, *CHECKED, "-o", program, source, "-lm"]
        subprocess.run(command, check=True, capture_output=True, text=True)
    run = subprocess.run(
        [program],
        input="\n".join([*tables, ""]).encode(),
        capture_output=True,
        check=True,
    )
    rows = [list(map(float, line.split())) for line in run.stdout.decode().splitlines()]
    return [
        [None if math.isnan(v) else v for v in row] for row in zip(*rows, strict=True)
    ]


def told(values):
    """Values by their bits: 0.0 and -0.0 differ."""
    return [None if v is None else v.hex() for v in values]


READERS = {"python": in_python, "node": in_node, "gcc": in_c}


@pytest.mark.parametrize("tool", READERS)
def test_every_word_says_the_same_in_every_language(tool, tmp_path_factory):
    if tool != "python" and shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    folder = tmp_path_factory.mktemp(tool)

    def compared(words):
        words = [word for word in words if plain(word)]
        found = READERS[tool](folder, words)
        for form, values in zip(FORMS, found, strict=True):
            wanted = told(map(form.read, words))
            for word, one, other in zip(words, told(values), wanted, strict=True):
                assert one == other, (form, word)

    compared(WORDS)
    n = 3 if tool == "python" else 6

    @settings(
        max_examples=n,
        deadline=None,
        suppress_health_check=[*HealthCheck],
        database=None,
    )
    @given(tables)
    def fuzzed(words):
        compared(words)

    fuzzed()


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_c_reads_no_further_than_its_room(tmp_path):
    in_c(tmp_path, ["5"])
    for word in (b"\x80" * 3000, b"\xe2\x80" * 900, b"\xff"):
        run = [tmp_path / "values"]
        found = subprocess.run(run, input=word + b"\n", capture_output=True, check=True)
        assert {*found.stdout.split()} == {b"nan"}


def test_every_form_reads_some_of_these_words():
    for form in FORMS:
        assert sum(form.read(word) is not None for word in WORDS) >= 2, form
