"""Modules of features that depend on more than their arguments, as source.

Each has functions that features share, and does something else where a sample begins
with more than 10, which no traced sample does. `features` are the functions to trace.
"""

HEAD = """
import collections, contextvars, decimal, functools, locale, os, threading, time, types
import warnings
import numpy as np
import pandas as pd

def total(x):
    return float(np.sum(x))

def mean_abs(x):
    return float(np.abs(x).mean())
"""

SOURCES = {
    "divide by zero raises in a caller": """
def inverse(x):
    return (1 / (x - x[0] + (x[0] < 10))).sum()
def plain(x):
    return inverse(x)
def strict(x):
    with np.errstate(divide="raise"):
        try:
            return inverse(x)
        except FloatingPointError:
            return -1.0
features = [plain, strict]
""",
    "warnings are errors in a caller": """
def inverse(x):
    return (1 / (x - x[0] + (x[0] < 10))).sum()
def plain(x):
    return inverse(x)
def strict(x):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return inverse(x)
        except RuntimeWarning:
            return -1.0
features = [plain, strict]
""",
    "warnings are counted": """
def warned(x):
    if x[0] > 10:
        warnings.warn("large", UserWarning)
    return total(x)
def plain(x):
    return warned(x)
def counting(x):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        value = warned(x)
    return value + len(caught)
features = [plain, counting]
""",
    "a decorator has another default": """
def decorated(function):
    @functools.wraps(function)
    def wrapper(x, order=3):
        return function(x, order)
    return wrapper
@decorated
def norm(x, order=1):
    return float((np.abs(x) ** order).sum()) if x[0] > 10 else total(x)
def bare(x):
    return norm(x)
def spelled(x):
    return norm(x, 1)
features = [bare, spelled]
""",
    "words are a category on a branch": """
def described(words):
    return float(len(words.value_counts()))
def words(x):
    return pd.Series(["a" if value > 0 else "b" for value in x])
def plain(x):
    return described(words(x))
def branchy(x):
    found = words(x)
    if x[0] > 10:
        found = pd.Series(pd.Categorical(found, categories=["a", "b", "c"]))
    return described(found)
features = [plain, branchy]
""",
    "a function is asked who it is": """
def apply(function, x):
    if x[0] > 10:
        return 2.0 if function is mean_abs else 1.0
    return total(x)
def one(x):
    return apply(mean_abs, x) + mean_abs(x)
def other(x):
    return mean_abs(x) + total(x)
features = [one, other]
""",
    "a function is asked for its type": """
def apply(function, x):
    return function(x) if type(function) is types.FunctionType else -1.0
def one(x):
    return apply(mean_abs, x) + mean_abs(x)
features = [one, mean_abs]
""",
    "ranges are equal and differ": """
def upto(x, steps):
    return float(x[: steps.stop].sum()) if x[0] > 10 else total(x[:1])
def one(x):
    return upto(x, range(0, 3, 2))
def other(x):
    return upto(x, range(0, 4, 2))
features = [one, other]
""",
    "an attribute of an object": """
class Settings:
    rate = 1.0
SETTINGS = Settings()
def scaled(x):
    return total(x) * SETTINGS.rate
def first(x):
    SETTINGS.rate = 1.0
    return scaled(x)
def second(x):
    if x[0] > 10:
        SETTINGS.rate = 2.0
    return scaled(x)
features = [first, second]
""",
    "a buffer in an object": """
class Filter:
    def __init__(self):
        self.buffer = np.zeros(1)
FILTER = Filter()
def shifted(x):
    return total(x) + float(FILTER.buffer[0])
def first(x):
    FILTER.buffer[0] = 0.0
    return shifted(x)
def second(x):
    if x[0] > 10:
        FILTER.buffer[0] = 5.0
    return shifted(x)
features = [first, second]
""",
    "an attribute of a function": """
def scaled(x):
    return total(x) * scaled.rate
scaled.rate = 1.0
def first(x):
    scaled.rate = 1.0
    return scaled(x)
def second(x):
    if x[0] > 10:
        scaled.rate = 2.0
    return scaled(x)
features = [first, second]
""",
    "globals()": """
RATE = 1.0
def scaled(x):
    return total(x) * globals()["RATE"]
def read(x):
    return total(x) * RATE
def first(x):
    globals()["RATE"] = 1.0
    return scaled(x) + read(x)
def second(x):
    if x[0] > 10:
        globals()["RATE"] = 2.0
    return scaled(x) + read(x)
features = [first, second]
""",
    "a variable of the module": """
RATE = 1.0
class Tuner:
    def tune(self, rate):
        global RATE
        RATE = rate
TUNER = Tuner()
def scaled(x):
    return total(x) * RATE
def first(x):
    TUNER.tune(1.0)
    return scaled(x)
def second(x):
    if x[0] > 10:
        TUNER.tune(2.0)
    return scaled(x) * RATE
features = [first, second]
""",
    "the environment": """
def scaled(x):
    return total(x) * float(os.environ.get("RATE_OF_TEST", "1"))
def first(x):
    os.environ.pop("RATE_OF_TEST", None)
    return scaled(x)
def second(x):
    if x[0] > 10:
        os.environ["RATE_OF_TEST"] = "2"
    value = scaled(x)
    os.environ.pop("RATE_OF_TEST", None)
    return value
features = [first, second]
""",
    "an argument is changed between two calls": """
def twice(x):
    y = x.copy()
    before = total(y)
    if x[0] > 10:
        y *= 2
    return before + total(y)
def nested(x):
    held = {"a": [x.copy()]}
    before = within(held)
    if x[0] > 10:
        held["a"][0][0] = 0.0
    return before + within(held)
def within(held):
    return total(held["a"][0])
features = [twice, nested]
""",
    "an argument is changed by who is given it": """
def smallest(y):
    if y[0] > 10:
        y.sort()
    return float(y[0])
def one(x):
    y = x.copy()
    return smallest(y) + y[1]
def other(x):
    y = x.copy()
    return smallest(y) * y[2]
features = [one, other]
""",
    "a result is changed by who asked first": """
def centred(x):
    return x - x.mean()
def spoiling(x):
    one, other = centred(x), centred(x)
    if x[0] > 10:
        one *= 0
    return total(np.abs(one)) + total(np.abs(other))
def trusting(x):
    return total(np.abs(centred(x)))
features = [spoiling, trusting]
""",
    "a part of the argument is returned and changed": """
def head(x):
    return x[:2]
def spoiling(x):
    y = x.copy()
    one, other = head(y), head(y)
    if x[0] > 10:
        one[0] = 0.0
    return float(other[0] + y[0])
def trusting(x):
    return float(head(x)[0])
features = [spoiling, trusting]
""",
    "a variable is returned and changed": """
TABLE = [1.0, 2.0]
def table(x):
    return TABLE
def spoiling(x):
    found = table(x)
    if x[0] > 10:
        found[0] += 1.0
    return found[0] + table(x)[0]
def trusting(x):
    return table(x)[0] + total(x)
features = [spoiling, trusting]
""",
    "a table has functions as keys": """
NAMES = {mean_abs: 2.0, total: 3.0}
def weighted(function, x):
    return NAMES[function] * function(x)
def branchy(x):
    known = NAMES.get(mean_abs, -1.0) if x[0] > 10 else 1.0
    return known * mean_abs(x)
def one(x):
    return weighted(mean_abs, x)
def other(x):
    return weighted(mean_abs, x) + weighted(total, x)
features = [one, other, branchy, mean_abs]
""",
    "a registry gets other functions": """
REGISTRY = {"f": mean_abs}
def put(function):
    REGISTRY["f"] = function
def one(x):
    put(mean_abs)
    return REGISTRY["f"](x) + mean_abs(x)
def other(x):
    return REGISTRY["f"](x)
features = [one, other]
""",
    "a default value is a memory": """
def remembered(x, seen=[]):
    if x[0] > 10:
        seen.append(1)
    return total(x) + len(seen)
def one(x):
    return remembered(x)
def other(x):
    return 2 * remembered(x)
features = [one, other]
""",
    "a closure is a memory": """
def make():
    seen = []
    def remembered(x):
        if x[0] > 10:
            seen.append(1)
        return total(x) + len(seen)
    return remembered
remembered = make()
def one(x):
    return remembered(x)
def other(x):
    return 2 * remembered(x)
features = [one, other]
""",
    "a variable around is set": """
def make():
    count = 0
    def counted(x):
        nonlocal count
        if x[0] > 10:
            count += 1
        return total(x) + count
    return counted
counted = make()
def one(x):
    return counted(x)
def other(x):
    return 2 * counted(x)
features = [one, other]
""",
    "a generator keeps its place": """
def numbers():
    value = 0
    while True:
        yield value
        value += 1
NUMBERS = numbers()
def drawn(x):
    return total(x) + (next(NUMBERS) if x[0] > 10 else 0)
def one(x):
    return drawn(x)
def other(x):
    return 2 * drawn(x)
features = [one, other]
""",
    "random numbers on a branch": """
RNG = np.random.default_rng(0)
def noisy(x):
    return total(x) + (RNG.normal() if x[0] > 10 else 0.0)
def legacy(x):
    np.random.seed(len(x))
    return total(x) + np.random.normal()
def one(x):
    return noisy(x) + legacy(x)
def other(x):
    return 2 * noisy(x) + legacy(x)
features = [one, other]
""",
    "the context of decimals": """
def thirds(x):
    return float(decimal.Decimal(1) / 3) + total(x)
def plain(x):
    return thirds(x)
def coarse(x):
    with decimal.localcontext() as context:
        context.prec = 3 if x[0] > 10 else 28
        return thirds(x)
features = [plain, coarse]
""",
    "how arrays are printed": """
def length(x):
    return float(len(str(x / 3)))
def plain(x):
    return length(x)
def short(x):
    with np.printoptions(precision=2 if x[0] > 10 else 8):
        return length(x)
features = [plain, short]
""",
    "a cache within": """
@functools.lru_cache
def table(n):
    return np.arange(float(n))
def weighted(x):
    return table(len(x)) * x
def spoiling(x):
    if x[0] > 10:
        table(len(x))[0] += 1.0
    return total(weighted(x) + table(len(x)))
def trusting(x):
    return total(weighted(x)) + total(table(len(x)))
features = [spoiling, trusting, spoiling_too := lambda x: spoiling(x)]
features[2].__name__ = "third"
""",
    "a variable of a class": """
class Counting:
    count = 0
    @classmethod
    def counted(cls, x):
        if x[0] > 10:
            cls.count += 1
        return total(x) + cls.count
def counted(x):
    return Counting.counted(x)
def one(x):
    return counted(x)
def other(x):
    return 2 * counted(x)
features = [one, other]
""",
    "attributes that are made when asked for": """
class Lazy:
    def __init__(self):
        self.asked = 0
    def __getattr__(self, name):
        self.asked += 1
        return float(self.asked)
LAZY = Lazy()
def lazy(x):
    return total(x) + (LAZY.anything if x[0] > 10 else 0.0)
def one(x):
    return lazy(x)
def other(x):
    return 2 * lazy(x)
features = [one, other]
""",
    "arrays of a class of one's own": """
class Scaled(np.ndarray):
    scale = 1.0
def scaled(values):
    return total(np.asarray(values)) * values.scale
def made(x, scale):
    values = x.view(Scaled)
    values.scale = scale
    return values
def one(x):
    return scaled(made(x, 1.0))
def other(x):
    return scaled(made(x, 2.0 if x[0] > 10 else 1.0))
features = [one, other]
""",
    "fields of other names": """
def last(table):
    return float(table["b"].sum())
def table(x, names):
    found = np.zeros(len(x), dtype=[(name, "f8") for name in names])
    found["a"], found["b"] = x, x
    if x[0] > 10:
        found[names[0]] = 1.0
    return found
def one(x):
    return last(table(x, "ab"))
def other(x):
    return last(table(x, "ba" if x[0] > 10 else "ab"))
features = [one, other]
""",
    "an index decides what is added": """
def summed(series):
    return float((series + pd.Series([1.0, 2.0, 3.0])).sum())
def series(x, index):
    return pd.Series(x[:3], index=index)
def one(x):
    return summed(series(x, [0, 1, 2]))
def other(x):
    return summed(series(x, [2, 3, 4] if x[0] > 10 else [0, 1, 2]))
def named(x):
    found = series(x, [0, 1, 2])
    found.name = "b" if x[0] > 10 else None
    return float(len(str(found.to_frame().columns[0]))) + about(found)
def about(series):
    return 1.0 if series.name is None else 2.0
def unnamed(x):
    return about(series(x, [0, 1, 2]))
features = [one, other, named, unnamed]
""",
    "views of one buffer": """
BUFFER = np.zeros(8)
def filled(x):
    BUFFER[:] = 0.0
    BUFFER[: len(x[:8])] = x[:8]
    return BUFFER[::2]
def one(x):
    return total(filled(x))
def other(x):
    even = filled(x)
    value = total(even)
    if x[0] > 10:
        filled(x + 1)
    return value + total(even)
features = [one, other]
""",
    "memory that lies behind a view": """
def behind(view):
    return float(view.base.sum()) if view.base is not None else total(view)
def one(x):
    y = x.copy()
    return behind(y[:2])
def other(x):
    y = x.copy()
    if x[0] > 10:
        y[3] = 0.0
    return behind(y[:2])
features = [one, other]
""",
    "results are written into an argument": """
def squared(x, out):
    np.multiply(x, x, out=out)
    return float(out[0])
def one(x):
    out = np.zeros_like(x)
    return squared(x, out) + total(out)
def other(x):
    out = np.zeros_like(x)
    return squared(x, out) - total(out)
def kept(x, out=np.zeros(8)):
    if x[0] > 10:
        np.multiply(x[:8], 2.0, out=out)
    return total(out)
def third(x):
    return kept(x) + total(x)
def fourth(x):
    return kept(x) * 2
features = [one, other, third, fourth]
""",
    "a variable of a thread": """
LOCAL = threading.local()
LOCAL.rate = 1.0
def scaled(x):
    return total(x) * getattr(LOCAL, "rate", 3.0)
def one(x):
    LOCAL.rate = 1.0
    return scaled(x)
def other(x):
    LOCAL.rate = 2.0 if x[0] > 10 else 1.0
    return scaled(x)
def threaded(x):
    found = []
    if x[0] > 10:
        thread = threading.Thread(target=lambda: found.append(scaled(x)))
        thread.start()
        thread.join()
    return found[0] if found else scaled(x)
features = [one, other, threaded]
""",
    "a variable of a context": """
RATE = contextvars.ContextVar("rate", default=1.0)
def scaled(x):
    return total(x) * RATE.get()
def one(x):
    return scaled(x)
def other(x):
    token = RATE.set(2.0 if x[0] > 10 else 1.0)
    value = scaled(x)
    RATE.reset(token)
    return value
features = [one, other]
""",
    "how numbers are sorted": """
def rank(x):
    return len(locale.setlocale(locale.LC_NUMERIC)) + total(x)
def one(x):
    return rank(x)
def other(x):
    return rank(x) * 2
features = [one, other]
""",
    "settings of a library": """
def shown(x):
    return float(len(repr(pd.Series(x / 3))))
def one(x):
    return shown(x)
def other(x):
    pd.set_option("display.precision", 2 if x[0] > 10 else 6)
    value = shown(x)
    pd.set_option("display.precision", 6)
    return value
features = [one, other]
""",
    "the clock": """
def late(x):
    return total(x) + (time.perf_counter_ns() * 0.0 if x[0] > 10 else 0.0)
def one(x):
    return late(x)
def other(x):
    return late(x) * 2
features = [one, other]
""",
    "another function in place of one": """
def transform(x):
    return total(x)
def replace(function):
    global transform
    transform = function
def one(x):
    replace(total if x[0] < 10 else mean_abs)
    return transform(x)
def other(x):
    return transform(x) * 2
def third(x):
    return other(x) + mean_abs(x)
features = [one, other, third]
""",
    "an attribute of another module": """
library = types.ModuleType("library")
library.rate = 1.0
library.total = total
def scaled(x):
    return library.total(x) * library.rate
def one(x):
    library.rate = 1.0
    return scaled(x) + library.total(x) * library.rate
def other(x):
    if x[0] > 10:
        library.rate = 2.0
    return scaled(x) + library.total(x) * library.rate
features = [one, other]
""",
    "numbers that lie apart": """
def every_other(x):
    return (np.outer(x, [1.1, 1.3, 1.7])[:, 0])
def transposed(x):
    return np.asfortranarray(np.outer(x, [1.1, 1.3, 1.7]))
def one(x):
    return total(every_other(x)) + float(transposed(x).sum())
def other(x):
    found = transposed(x).ravel("K").cumsum()
    return float(every_other(x).strides[0]) + float(found[-1])
features = [one, other]
""",
    "a list that is read in another order": """
def weighted(names):
    return float(sum(i * ord(name) for i, name in enumerate(names)))
def one(x):
    return weighted({"a": 1, "b": 2})
def other(x):
    return weighted({"b": 2, "a": 1} if x[0] > 10 else {"a": 1, "b": 2})
def by_name(**given):
    return weighted(given)
def third(x):
    return by_name(a=1, b=2)
def fourth(x):
    return by_name(b=2, a=1) if x[0] > 10 else by_name(a=1, b=2)
features = [one, other, third, fourth]
""",
    "modules and classes within functions": """
def within(x):
    import math
    class Point:
        def __init__(self, at):
            self.at = at
    return math.sqrt(abs(Point(total(x)).at))
def one(x):
    return within(x) + total(x)
def other(x):
    import math as m
    return m.floor(within(x))
features = [one, other]
""",
    "text that is run": """
SHARE = 0.5
def within(x):
    return eval("total(x) * SHARE")
def one(x):
    return within(x) + total(x)
def other(x):
    exec("found = total(x)", globals(), found := {"x": x})
    return within(x) + found["found"]
features = [one, other]
""",
    "a function that remembers by itself": """
class Remembering:
    def __init__(self):
        self.last = None
    def __call__(self, x):
        if x[0] > 10 and self.last is not None:
            return self.last
        self.last = total(x)
        return self.last
remembering = Remembering()
def first(x):
    return remembering(x)
def second(x):
    return remembering(x + 1)
features = [first, second]
""",
    "a function made of Python by NumPy": """
STEPS = []
def step(value):
    STEPS.append(value)
    return value + (len(STEPS) if value > 10 else 0)
stepped = np.frompyfunc(step, 1, 1)
def walked(x):
    return total(stepped(x).astype(float))
def one(x):
    STEPS.clear()
    return walked(x)
def other(x):
    return walked(x)
features = [one, other]
""",
    "what is written is read back": """
FILE = __import__("io").StringIO()
def noted(x):
    if x[0] > 10:
        print("large", file=FILE)
    return total(x) + len(FILE.getvalue())
def one(x):
    return noted(x)
def other(x):
    return 2 * noted(x)
features = [one, other]
""",
    "truths, zeros and their types": """
def told(value):
    return float(len(repr(value)))
def one(x):
    return told(1) + told(0.0) + told(np.float64(2))
def other(x):
    far = x[0] > 10
    one, two = (True, 2.0) if far else (1, np.float64(2))
    return told(one) + told(-0.0 if far else 0.0) + told(two)
features = [one, other]
""",
    "a property of the sample's kind": """
def swapped(x):
    return float(x.dtype.byteorder == ">") + total(x)
def one(x):
    return swapped(x)
def other(x):
    return swapped(x.astype(">f8") if x[0] > 10 else x)
def writeable(x):
    y = x.copy()
    if x[0] > 10:
        y.flags.writeable = False
    return asked(y)
def asked(y):
    return float(y.flags.writeable)
def third(x):
    return asked(x.copy())
features = [one, other, writeable, third]
""",
    "errors are counted by a handler": """
def inverse(x):
    return (1 / (x - x[0] + (x[0] < 10))).sum()
def counting(x):
    log = []
    with np.errstate(divide="call", call=lambda *told: log.append(told)):
        inverse(x)
        inverse(x)
    return len(log)
def plain(x):
    return inverse(x) + inverse(x)
features = [plain, counting]
""",
    "members of an enumeration": """
import enum
class Mode(enum.Enum):
    FAST = 1
    SLOW = 2
def scaled(x, mode):
    return total(x) * (2 if mode is Mode.FAST else 3)
def one(x):
    return scaled(x, Mode.FAST)
def other(x):
    return scaled(x, Mode.SLOW if x[0] > 10 else Mode.FAST)
features = [one, other]
""",
    "rows of a structured array": """
def last(row):
    return float(row["b"])
def rows(x):
    table = np.zeros(2, dtype=[("a", "f8"), ("b", "f8")])
    table["b"] = x[:2]
    return table
def row(x):
    return rows(x)[0]
def one(x):
    found = row(x)
    if x[0] > 10:
        found["b"] = 0.0
    return last(found) + last(row(x))
def other(x):
    return last(row(x))
features = [one, other]
""",
    "a built-in name gets a meaning of the module": """
def largest(x):
    return float(max(x)) + total(x)
def put():
    globals()["max"] = lambda values: 0.0
def one(x):
    return largest(x)
def other(x):
    if x[0] > 10:
        put()
    return largest(x) + total(x)
features = [one, other]
""",
    "names that are put together": """
library = types.ModuleType("library")
library.rate = 1.0
def scaled(x):
    return total(x) * getattr(library, "ra" + "te")
def one(x):
    setattr(library, "rate", 1.0)
    return scaled(x)
def other(x):
    if x[0] > 10:
        setattr(library, "rate", 2.0)
    return scaled(x)
features = [one, other]
""",
    "a module that makes attributes": """
library = types.ModuleType("library")
COUNTS = []
def made(name):
    if name != "rate":
        raise AttributeError(name)
    return 1.0 + len(COUNTS)
library.__getattr__ = made
def scaled(x):
    return total(x) * library.rate
def one(x):
    return scaled(x)
def other(x):
    if x[0] > 10:
        COUNTS.append(1)
    return scaled(x)
features = [one, other]
""",
    "objects in an array of objects": """
class Point:
    def __init__(self, at):
        self.at = at
def summed(points):
    return float(sum(point.at for point in points))
def one(x):
    points = np.array([Point(value) for value in x], dtype=object)
    before = summed(points)
    if x[0] > 10:
        points[0].at = 0.0
    return before + summed(points)
features = [one, lambda x: one(x)]
features[1].__name__ = "other"
""",
    "an instance is given and changed by its method": """
class Signal:
    def __init__(self, values):
        self.values = values
        self.read = 0
    def numbers(self):
        self.read += 1
        return self.values
def summed(signal):
    return total(signal.numbers()) + signal.read
def one(x):
    signal = Signal(x)
    return summed(signal) + (summed(signal) if x[0] > 10 else 0)
def other(x):
    return summed(Signal(x))
features = [one, other]
""",
    "a descriptor counts": """
class Counted:
    def __init__(self):
        self.n = 0
    def __get__(self, instance, owner):
        self.n += 1
        return float(self.n)
class Holder:
    value = Counted()
HOLDER = Holder()
def read(x):
    return total(x) + (HOLDER.value if x[0] > 10 else 0.0)
def one(x):
    return read(x)
def other(x):
    return read(x) * 2
features = [one, other]
""",
    "a function for each type": """
@functools.singledispatch
def told(value):
    return 1.0
def one(x):
    return told(x) + total(x)
def other(x):
    if x[0] > 10:
        told.register(np.ndarray, lambda value: 2.0)
    return told(x) + total(x)
features = [one, other]
""",
    "a method is replaced": """
class Scaler:
    def scale(self, x):
        return total(x)
SCALER = Scaler()
def scaled(x):
    return SCALER.scale(x)
def one(x):
    return scaled(x)
def other(x):
    if x[0] > 10:
        Scaler.scale = lambda self, x: 2 * total(x)
    return scaled(x)
features = [one, other]
""",
    "recursion that is nearly too deep": """
import sys
def depth(x, n):
    return total(x) if n == 0 else depth(x, n - 1)
def one(x):
    return depth(x, 700 if x[0] > 10 else 3)
def other(x):
    return depth(x, 700 if x[0] > 10 else 3) + 1
features = [one, other]
""",
    "functions made on the way": """
def applied(function, x):
    return function(x)
def one(x):
    scale = 2.0 if x[0] > 10 else 1.0
    return applied(lambda y: total(y) * scale, x)
def other(x):
    return applied(lambda y: total(y) * 1.0, x) + total(x)
def third(x):
    seen = []
    def noted(y):
        seen.append(1)
        return total(y)
    applied(noted, x)
    applied(noted, x)
    return float(len(seen))
features = [one, other, third]
""",
    "a counter is handed on": """
def summed(x, counts):
    if x[0] > 10:
        counts["large"] += 1
    return total(x) + counts["large"]
COUNTS = collections.Counter()
def one(x):
    return summed(x, COUNTS)
def other(x):
    return summed(x, COUNTS) * 2
features = [one, other]
""",
    "arguments by name alone": """
def weighted(x, *rest, power=1, **more):
    return total(np.abs(x)) ** power + len(rest) + 10 * len(more)
def one(x):
    return weighted(x, 2) + weighted(x, power=2)
def other(x):
    power, more = (1, {"a": 1}) if x[0] > 10 else (2, {})
    return weighted(x, 2, **more) + weighted(x, power=power)
features = [one, other]
""",
    "another module's variable by another name": """
library = types.ModuleType("library")
exec('''
rate = 1.0
def scaled(x):
    return float(x.sum()) * rate
def tune(to):
    global rate
    rate = to
''', vars(library))
def one(x):
    library.tune(1.0)
    return library.scaled(x)
def other(x):
    library.tune(2.0 if x[0] > 10 else 1.0)
    return library.scaled(x) + scaled(x)
scaled = library.scaled
features = [one, other, scaled]
""",
    "a function in a class and a tuple": """
class Tools:
    sums = (total, mean_abs)
    @staticmethod
    def both(x):
        return total(x) + mean_abs(x)
def one(x):
    return Tools.sums[0](x) + Tools.both(x)
def other(x):
    if x[0] > 10:
        Tools.sums = (mean_abs, total)
    return Tools.sums[0](x) + Tools.both(x)
features = [one, other]
""",
    "an array gets another shape": """
def rows(values):
    return float(len(values)) + total(values)
def one(x):
    y = x[:8].copy()
    before = rows(y)
    if x[0] > 10:
        y.shape = (2, 4)
    return before + rows(y)
features = [one, lambda x: one(x)]
features[1].__name__ = "other"
""",
    "numbers that cannot be written": """
def padded(x):
    return np.broadcast_to(x[0] + 1, 4)
def one(x):
    found = padded(x)
    try:
        found[0] = 0.0
    except ValueError:
        return total(found)
    return -1.0
def other(x):
    return total(padded(x))
features = [one, other]
""",
    "a random state is given": """
def drawn(x, rng):
    return total(x) + rng.normal()
def one(x):
    rng = np.random.default_rng(3)
    return drawn(x, rng) + drawn(x, rng)
def other(x):
    return drawn(x, np.random.default_rng(3))
features = [one, other]
""",
    "a library draws": """
from sklearn.utils import shuffle
def mixed(x):
    return float(shuffle(x)[0]) if x[0] > 10 else total(x)
def one(x):
    np.random.seed(1)
    return mixed(x) + mixed(x)
def other(x):
    np.random.seed(2)
    return mixed(x)
features = [one, other]
""",
    "words are matched": """
import re
PATTERN = re.compile("a+")
def matches(words):
    return float(len(PATTERN.findall(words)))
def one(x):
    return matches("aab")
def other(x):
    return matches("abab" if x[0] > 10 else "aab")
features = [one, other]
""",
    "a memory view": """
def first(view):
    return float(view[0])
def one(x):
    y = x.copy()
    view = memoryview(y)
    before = first(view)
    if x[0] > 10:
        y[0] = 0.0
    return before + first(view)
features = [one, lambda x: one(x) * 2]
features[1].__name__ = "other"
""",
    "sets that are looped over": """
def summed(numbers):
    value = 0.0
    for number in numbers:
        value = value / 3 + number
    return value
def one(x):
    return summed({0, 8, 16})
def other(x):
    return summed({16, 8, 0} if x[0] > 10 else {0, 8, 16})
features = [one, other]
""",
    "a table whose parts lie otherwise": """
def spread(table):
    return float(table.to_numpy().strides[0])
def table(x):
    return pd.DataFrame({"a": x[:4], "b": x[4:8]})
def one(x):
    return spread(table(x))
def other(x):
    found = table(x)
    if x[0] > 10:
        found = pd.DataFrame(np.ascontiguousarray(found.to_numpy()), columns=["a", "b"])
    return spread(found)
features = [one, other]
""",
}
