"""Numbers, comments and strings as C writes them, whatever people wrote."""

import ast
import math
import shutil
import subprocess

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.deploy.c_source import comment_of, listed, real_of, string_of
from solvers.errors import DeployError
from tests.each import each


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_written_to_the_last_bit(value):
    assert float(real_of(value, "double")) == value


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_float_is_marked_as_one_and_read_as_itself(value):
    text = real_of(value, "float")
    assert text.endswith("f")
    assert np.float32(text[:-1]) == np.float32(value)


@each(
    ("value", "real", "text"),
    [
        (math.inf, "double", "INFINITY"),
        (-math.inf, "float", "-INFINITY"),
        (1e300, "float", "INFINITY"),
        (-1e300, "float", "-INFINITY"),
        (1e300, "double", "1e+300"),
        (7e-46, "float", "0.0f"),
        (-5e-324, "float", "-0.0f"),
        (5e-324, "double", "5e-324"),
        (math.nan, "double", "NAN"),
        (3, "float", "3.0f"),
    ],
)
def test_what_a_type_cannot_hold_is_infinite_or_nothing(value, real, text):
    assert real_of(value, real) == text


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@each(("real", "kind"), [("float", np.float32), ("double", float)])
def test_a_compiler_takes_every_number_without_a_warning(real, kind, tmp_path):
    ends = np.array([np.finfo(kind).smallest_subnormal, np.finfo(kind).tiny, 2.0**53])
    ends = np.append(ends, [np.finfo(kind).max, 2.0**-150, 1e-45, 1e22])
    drawn = np.random.default_rng(0).integers(0, 2**64, 400, dtype=np.uint64)
    with np.errstate(over="ignore", invalid="ignore"):
        near = np.outer([1.0, 0.5, 1 - 1e-15, 1 + 1e-15, 1.4], ends.astype(float))
        near = near.ravel()
        numbers = np.concatenate([[0.0, math.inf, math.nan], near, drawn.view(float)])
        numbers = np.concatenate([numbers, -numbers])
        wanted = numbers.astype(kind)
    source = f"""#include <math.h>
#include <stdio.h>
static const {real} numbers[] = {{
{listed(real_of(number, real) for number in numbers)}
}};
int main(void) {{
    unsigned k;
    for (k = 0; k < {len(numbers)}u; ++k) {{ printf("%.17g\\n", (double)numbers[k]); }}
    return 0;
}}
"""
    (tmp_path / "numbers.c").write_text(source)
    strict = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    command = ["gcc", *strict, "numbers.c", "-o", "numbers"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    run = subprocess.run([tmp_path / "numbers"], check=True, capture_output=True)
    said = np.array(run.stdout.split(), dtype=float)
    known = ~np.isnan(numbers)
    assert np.array_equal(said[known], wanted[known])
    assert np.array_equal(np.signbit(said[known]), np.signbit(wanted[known]))
    assert np.isnan(said[~known]).all()


@given(st.text(max_size=12))
def test_a_string_says_the_same_bytes_and_cannot_end_early(text):
    literal = string_of(text)
    assert literal.isascii()
    assert literal[0] == literal[-1] == '"'
    assert '"' not in literal[1:-1]
    assert "?" not in literal  # no trigraph
    said = ast.literal_eval(f"b{literal}")
    assert said == text.encode("utf-8", "replace")


def test_a_string_longer_than_every_compiler_takes_is_refused():
    assert string_of("a" * 4095)
    with pytest.raises(DeployError, match="has 4,096 bytes, and C takes 4,095"):
        string_of("a" * 4094 + "é")


@given(st.text(st.sampled_from("*/?\\ \na"), max_size=10))
def test_a_comment_is_neither_ended_nor_begun_nor_continued(text):
    comment = comment_of(text)
    assert "*/" not in comment
    assert "/*" not in comment
    assert "??" not in comment
    assert "\n" not in comment


def test_an_empty_list_holds_a_zero():
    assert listed([]) == "    0"
    assert listed("abcde") == "    a, b, c, d,\n    e"
