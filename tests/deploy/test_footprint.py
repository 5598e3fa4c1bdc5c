"""What exports take is measured, or said not to be; the sample features are right."""

import ctypes
import shutil
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from solvers.deploy import (
    c_readme,
    measure_c,
    measure_python,
    policy_from,
    sample_features,
    to_c,
)
from solvers.deploy.footprint import CFootprint, _sample
from solvers.deploy.policy import ValueKind
from tests.deploy.classifiers import CLASSIFIERS
from tests.each import each

from .models import fitted
from .test_c import CHECKED, STRICT, compiled, written

ARM = ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", "-mthumb"]


@each("compiler", [["gcc"], ["clang"], ARM], ids=lambda c: c[0])
def test_sample_features_compile_without_a_warning(compiler, tmp_path):
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not installed")
    written(tmp_path, sample_features())
    command = [*compiler, *STRICT, "-c", "features.c", "-o", "features.o"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)


def test_sample_features_are_those_of_numpy(tmp_path):
    written(tmp_path, sample_features())
    command = ["gcc", *STRICT, "-shared", "-fPIC", "features.c", "-o", "f.so", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    library = ctypes.CDLL(str(tmp_path / "f.so"))
    real, size = ctypes.c_float, ctypes.c_size_t
    for name in ("mean", "moment", "quantile", "magnitude"):
        getattr(library, f"features_{name}").restype = real
    x = np.random.default_rng(0).standard_normal(64).astype(np.float32) - 0.2
    row, n = (real * 64)(*x), size(64)
    close = pytest.approx
    assert library.features_mean(row, n) == close(x.mean(), abs=1e-6)
    for order in (2, 3, 4):
        want = np.mean((x.astype(float) - x.mean()) ** order)
        assert library.features_moment(row, n, order) == close(want, abs=1e-5)
    crossings = np.count_nonzero(np.diff(x < 0))
    assert library.features_zero_crossings(row, n) == crossings
    re, im = (real * 64)(*x), (real * 64)()
    library.features_fft(re, im, n)
    want = np.abs(np.fft.fft(x))
    for k in range(64):
        assert library.features_magnitude(re, im, size(k)) == close(want[k], abs=1e-4)
    library.features_sort(row, n)
    assert list(row) == sorted(x.tolist())
    for share in (0.0, 0.1, 0.5, 0.77, 1.0):
        want = np.quantile(x, share)
        assert library.features_quantile(row, n, real(share)) == close(want, abs=1e-6)


DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include "features.h"
int main(void)
{
    size_t n, i;
    for (n = 1; n <= 64; ++n) {
        float *row = malloc(n * sizeof *row), *re = malloc(n * sizeof *re);
        float *im = malloc(n * sizeof *im);
        float sum = 0;
        for (i = 0; i < n; ++i) {
            row[i] = re[i] = (float)((i * 7) % 5) - 2;
            im[i] = 0;
        }
        sum += features_mean(row, n) + features_moment(row, n, 4);
        sum += (float)features_zero_crossings(row, n);
        features_sort(row, n);
        sum += features_quantile(row, n, 0) + features_quantile(row, n, 1);
        if ((n & (n - 1)) == 0) {
            features_fft(re, im, n);
            for (i = 0; i < n; ++i) {
                sum += features_magnitude(re, im, i);
            }
        }
        printf("%g\\n", (double)sum);
        free(row);
        free(re);
        free(im);
    }
    return 0;
}
"""


def test_no_sanitiser_complains_of_the_sample_features(tmp_path):
    texts = sample_features() | {"driver.c": DRIVER}
    ran = subprocess.run(
        [compiled(tmp_path, texts, CHECKED)], capture_output=True, text=True, check=True
    )
    assert len(ran.stdout.split()) == 64
    assert "nan" not in ran.stdout


def test_what_it_takes_is_measured_where_the_tools_are():
    model, X, _ = fitted("tefe")
    texts = to_c(model, real="float")
    taken = measure_c(texts, X[:20, list(policy_from(model).places)])
    if shutil.which("arm-none-eabi-size") and shutil.which("arm-none-eabi-gcc"):
        assert 500 < taken.flash < 64_000
        assert 0 <= taken.ram < 64 < taken.stack < 4096
    else:
        assert (taken.flash, taken.ram, taken.stack) == (None,) * 3
    if shutil.which("valgrind"):
        assert 50 < taken.instructions < 100_000
    else:
        assert taken.instructions is None
    readme = c_readme(texts, taken)
    for value in (taken.flash, taken.instructions):
        assert ("not measured" if value is None else f"{value:,.0f}") in readme


def test_what_was_not_measured_is_said():
    readme = c_readme(to_c(fitted("l1")[0]), CFootprint())
    assert readme.count("not measured") == 4
    assert "--words" not in readme  # its columns are all of numbers


def test_what_the_rows_ask_for_is_what_the_estimator_charges():
    model, X, said = fitted("tefe")
    policy = policy_from(model)
    taken = measure_python(policy, X[:40, list(policy.places)])
    assert taken.cost == pytest.approx(np.mean(said.cost[:40]))
    assert taken.seconds >= 0.0
    assert measure_python(policy, X[:0, list(policy.places)]) is None


def test_states_of_a_network_are_given_as_words():
    policy = policy_from(CLASSIFIERS["quiz"]())
    taken = measure_python(policy, np.zeros((2, len(policy.features))))
    assert taken.cost > 0.0


def test_codes_become_words_dates_and_gaps():
    policy = policy_from(fitted("l1")[0])
    kinds = (ValueKind("listed", ("a", "b")), ValueKind("date"), ValueKind())
    row = [1.0, 1.5, np.nan]
    asked = replace(policy, features=("x", "y", "z"), kinds=kinds)
    want = {"x": "b", "y": "1970-01-02T12:00:00", "z": None}
    assert _sample(asked, row) == want
    assert _sample(asked, [7.0, 0.0, 2.0])["x"] == "another"
