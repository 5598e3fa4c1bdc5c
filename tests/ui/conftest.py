"""A real browser against a real server; anything odd that either says is a failure."""

import json
import logging
import shutil
import socket
import time
from contextlib import contextmanager

import panel as pn
import pytest
from playwright.sync_api import TimeoutError as Waited
from playwright.sync_api import sync_playwright

from explorer.app import open_session
from explorer.pages import all_pages
from explorer.serving.headers import security_headers
from explorer.serving.routes import routes
from explorer.stage.frame import OPENS_TUNE
from tests.ui.drawn import Drawn

USUAL = {"width": 1440, "height": 1000}
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # What asks another host gets no answer, whatever network there is.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
# Of the methods' paths few points, for pages that are not about them: for links.
FEW = "&settings=acafh.n_alphas:8,acafh.candidates:best,l1.n_alphas:12"
# All sessions' apps, by the id of their document's session.
IDLE = (
    "() => window.Bokeh && Bokeh.documents.length > 0 && "
    "Bokeh.documents.every(document => document.is_idle)"
)
# Pages whose own example takes long: another one.
SMALL = {"structured": "?page=structured&nodes=100&seeds=1"}
# Headings of panels that are closed.
CLOSED = ':is(h2, h3) > button[aria-expanded="false"]:not(.MuiButtonBase-root)'
# What Panel says, to nobody's harm, of a part that is gone before it was drawn.
GONE = "Cannot read properties of null (reading 'unmount')"
# What closing a page in the middle of a message makes the server say.
HARMLESS = (
    "WebSocketClosedError",
    "Stream is closed",
    "CancelledError",  # probably what was on its way when a session ended
    "assert self.stream is not None",
    "assert self.ws_connection is not None",
    "assert self._session is not None",
)


# What takes longest comes first: two workers are to end together.
DEAREST = (
    *("every_page", "cascade_page", "frontier_page", "sessions", "upload"),
    *("structured_page", "looking_closer", "first_theme", "lessons_page"),
    *("problem_page", "taken_away", "selectivity_page", "resuming", "jupyterlab"),
    *("trimming_page", "drawing", "proof_page"),
)


def pytest_collection_modifyitems(items):
    """Put the dearest files of this folder first."""
    places = {f"test_{name}.py": k for k, name in enumerate(DEAREST)}
    here = __file__.rpartition("/")[0]

    def place(item):
        is_here = str(item.path).startswith(here)
        return places.get(item.path.name, len(places)) if is_here else -1

    items.sort(key=place)


@pytest.fixture(scope="session")
def browser():
    path = next((found for name in CHROMIUM if (found := shutil.which(name))), None)
    assert path, "Chromium is not installed: run tests/ui/ensure_chromium.sh"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def served():
    """The app on a free port; the apps of its sessions, newest last."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    apps = []

    def build():
        explorer = open_session()
        apps.append(explorer)
        return explorer.page

    server = pn.serve(
        {"app": build},
        port=port,
        address="127.0.0.1",
        threaded=True,
        show=False,
        title="Thriftscope",
        websocket_max_message_size=24 * 1024 * 1024,
        extra_patterns=routes(),
        transforms=[security_headers()],
    )
    yield f"http://127.0.0.1:{port}/app", apps
    server.stop()


# So often nothing has to be there before nothing is to come.
LOOKS = 4


class Watched:
    """A browser page, and everything that it did and should not have done."""

    def __init__(self, page, url, apps):
        page.set_default_timeout(90_000)
        self.page, self.url, self.apps = page, url, apps
        self.faults = []
        self.host = url.split("/")[2]
        # Listened to, not routed: what is routed is never taken from the cache.
        page.on("request", self._request)
        page.on("console", self._console)
        page.on("pageerror", self._error)

    def _request(self, request):
        address = request.url
        if not address.startswith(("data:", "blob:", f"http://{self.host}/")):
            self.faults.append(f"request to another host: {address}")

    def _console(self, message):
        if message.type == "error":
            self.faults.append(f"console: {message.text}")

    def _error(self, error):
        if GONE not in str(error):
            self.faults.append(f"page: {error}")

    def open(self, query=""):
        """Open the app and wait until it has computed its frontier."""
        before = len(self.apps)
        self.page.goto(self.url + query, timeout=90_000)
        assert len(self.apps) > before, "the server could not build the page"
        self.page.wait_for_function(IDLE, timeout=90_000)
        self.explorer = self.apps[-1]
        if self.explorer.session.page == "frontier":
            self.until(self.is_computed)
        return self

    @property
    def state(self):
        """The state of the frontier page of this session."""
        return self.explorer._page_parts("frontier").state

    def is_computed(self):
        """Whether every ticked method's path is complete and nothing runs."""
        traces = self.state.traces
        if self.state.dataset is not self.explorer.session.dataset:
            return False  # the page is about to open another data set
        return set(traces) >= set(self.state.methods) and all(
            traces[name].is_complete for name in self.state.methods
        )

    def until(self, condition, seconds=90):
        """Wait, with the browser alive, until something holds."""
        deadline, pause = time.monotonic() + seconds, 25.0
        while not condition():
            assert time.monotonic() < deadline, "it did not happen in time"
            self.page.wait_for_timeout(pause)
            # Looking takes time away from what is waited for.
            pause = min(1.3 * pause, 200.0)

    def do(self, action):
        """Do something on the page's own thread: only there may the page change."""
        done = []
        self.explorer.context.post(lambda: done.append(action()))
        self.until(lambda: done)

    def turn(self, name):
        """Bring a page to the front, on what is computed quickly; give its state."""
        explorer = self.explorer

        def come():
            if name in SMALL:
                explorer.visit(SMALL[name])
            else:
                explorer.session.page = name

        self.do(come)
        title = all_pages()[name].title
        self.page.get_by_role("heading", level=1, name=title).wait_for()
        return explorer._page_parts(name).state

    def remember(self):
        """Remember how all pages stand: it is what `restore` brings back."""
        self._start = self.explorer.context.choices.everything()
        return self

    def restore(self):
        """Undo what was drawn, and choose again as when it was remembered."""
        self.tune(is_open=False)
        context = self.explorer.context

        def back():
            while context.undo_stack.undo_drawing():
                pass
            for page, values in self._start.items():
                context.choices.set(page, values)

        self.do(back)

    def jobs(self):
        """All that can be computed for this session."""
        return [found for one in self.explorer.context._jobs if (found := one())]

    def until_idle(self):
        """Wait until nothing is computed any more."""
        self.until(lambda: not any(job.busy for job in self.jobs()))

    def slider(self, name):
        """The slider of an accessible name."""
        return self.page.get_by_role("slider", name=name)

    def tune(self, is_open=True):
        """Open the drawer at the right, or close it."""
        close = self.page.locator(f".contextbar .{OPENS_TUNE} button")
        if self.explorer.page.contextbar_open != is_open:
            opens = self.page.locator(f".main .{OPENS_TUNE} button").filter(
                visible=True
            )
            (opens if is_open else close).first.click()
            self.until(lambda: self.explorer.page.contextbar_open == is_open)
        # While it slides out its controls are seen, and are gone when they are pressed.
        close.first.wait_for(state="visible" if is_open else "hidden")
        if is_open:  # what slides in is pressed where it was

            def is_at_rest():
                before = close.first.bounding_box()
                self.page.wait_for_timeout(60)
                return close.first.bounding_box() == before

            self.until(is_at_rest)

    def move(self, name, key, times=1):
        """Press a key on a slider; what is not above the picture is in the drawer."""
        slider = self.slider(name)
        if not slider.filter(visible=True).count():
            self.tune()
        slider.focus()
        for _ in range(times):
            slider.press(key)

    def choose(self, label, option, *, exact=False):
        """Choose an option of a drop-down, and see it closed.

        What is nowhere on the page stands in the drawer at its right.
        """
        box = self.page.get_by_role("combobox", name=label)
        is_apart = not box.filter(visible=True).count()
        if is_apart:
            self.tune()
        items = self.page.get_by_role("menuitem")
        item = self.page.get_by_role("menuitem", name=option, exact=exact)

        def is_chosen():
            if not items.count():
                box.click()
            try:
                item.click(timeout=10_000)
            except Waited:  # a late echo of the choice before has closed it
                return False
            return True

        self.until(is_chosen)

        def is_closed():
            # On a busy machine the server's echo of "open" can come after the choice.
            if items.count():
                self.page.keyboard.press("Escape")
            return items.count() == 0

        self.until(is_closed)
        if is_apart:
            self.tune(is_open=False)

    @contextmanager
    def tuned(self):
        """Do something in the drawer at the right, which is closed afterwards."""
        self.tune()
        yield self.page.locator(".contextbar")
        self.tune(is_open=False)

    def _can_tune(self):
        opens = self.page.locator(f".main .{OPENS_TUNE}").filter(visible=True)
        return opens.count() > 0

    def is_unfolded(self):
        """Whether every panel is open, and the drawer where there is one."""
        is_tuned = self.explorer.page.contextbar_open or not self._can_tune()
        return is_tuned and not self.page.locator(CLOSED).filter(visible=True).count()

    def unfold(self, *titles):
        """Open panels by their headings; all that are closed where none is named.

        The drawer is opened as well then.
        """
        heads = self.page.locator(CLOSED).filter(visible=True)
        for title in titles:
            head = heads.filter(has_text=title)
            held = f"{CLOSED}[data-holds*={json.dumps(title)}]"
            holder = self.page.locator(held).filter(visible=True)
            if not head.count() and holder.count():
                holder.first.click()
                head.first.wait_for()
            if head.count():
                head.click()
        if titles:
            return
        # First what the drawer would lie over, then what stands in it. The browser
        # itself says at once that a panel is open; what it holds is still to come.
        self.tune(is_open=False)
        looks = LOOKS
        while looks:
            if heads.count():
                heads.first.click()
                looks = LOOKS
            else:
                self.page.wait_for_timeout(250)
                looks -= 1
        if not self._can_tune():
            return  # nothing is set on this page
        self.tune()
        inside = self.page.locator(".contextbar").locator(CLOSED).filter(visible=True)
        while inside.count():
            inside.first.click()

    def is_dark(self):
        """Whether the browser shows the page in the dark; None while there is none."""
        script = """() => Bokeh.documents.flatMap(one => one.roots())
          .map(root => root.data?.dark_theme).find(one => one !== undefined)"""
        return self.page.evaluate(script)

    def fits(self, width=390):
        """Whether nothing on the page runs over a window of some width."""
        return self.page.evaluate("document.documentElement.scrollWidth") <= width

    def of_figure(self, name, script):
        """What a script says of a figure in the browser; None while there is none.

        While one is put in place of another there are two: the newest is asked.
        """
        found = """name => Bokeh.documents
          .flatMap(document => [...document._all_models.values()])
          .filter(model => model.type === "Figure" && model.name === name).at(-1)"""
        script = f"name => {{ const f = ({found})(name); return f && ({script})(f) }}"
        return self.page.evaluate(script, name)

    def drag_budget(self, figure, pixels):
        """Take the budget's knob where it stands, on the axis, and pull it aside."""
        knob = """name => {
          const [view] = Bokeh.index.query(one => one.model.name === name)
          const [x] = view.model.select_one("budget").data_source.data.x
          const { left, top } = view.el.getBoundingClientRect()
          return [left + view.frame.x_scale.compute(x), top + view.frame.bbox.bottom]
        }"""
        x, y = self.page.evaluate(knob, figure)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + pixels / 2, y)
        self.page.mouse.move(x + pixels, y)
        self.page.mouse.up()

    def figure_data(self, figure, glyph_columns, layer=None):
        """The first data source in the browser that has some columns, or a layer's."""
        script = """([name, columns, layer]) => {
          for (const document of Bokeh.documents)
            for (const model of document._all_models.values())
              if (model.type === 'Figure' && model.name === name)
                for (const renderer of model.renderers) {
                  const data = renderer.data_source.data
                  const get = c => data instanceof Map ? data.get(c) : data[c]
                  if (layer !== null && renderer.name !== layer) continue
                  if (columns.every(c => get(c) !== undefined))
                    return Object.fromEntries(columns.map(c => [c, [...get(c)]]))
                }
          return null
        }"""
        return self.page.evaluate(script, [figure, list(glyph_columns), layer])


class ErrorLog(logging.Handler):
    """What the server says went wrong."""

    def __init__(self):
        super().__init__(logging.ERROR)
        self.said = []

    def emit(self, record):
        text = logging.Formatter().format(record)
        if not any(word in text for word in HARMLESS):
            self.said.append(text)


class Opened:
    """The pages that one fixture has opened, and what has gone wrong with them."""

    def __init__(self):
        self.pages, self.log = [], ErrorLog()

    def told(self):
        """Return what has gone wrong since this was last asked."""
        found, self.log.said = self.log.said, []
        for page in self.pages:
            found += page.faults
            page.faults.clear()
        return found


# What is open now, of all fixtures.
OPEN: list[Opened] = []


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem):
    """Fail the test in which something goes wrong, whatever it asks for itself.

    A page that a whole module shares would tell of it at its end, when nobody knows
    any more whose it was.
    """
    try:
        done = yield
    except BaseException as error:
        for one in OPEN:
            for fault in one.told():
                error.add_note(f"Meanwhile: {fault}")
        raise
    if told := [fault for one in OPEN for fault in one.told()]:
        pytest.fail("\n".join(told), pytrace=False)
    return done


FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    report = yield
    item.stash[FAILED] = item.stash.get(FAILED, False) or report.failed
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    """Close what a failed test shares with others: they, and its rerun, open anew."""
    try:
        return (yield)
    finally:
        if item.stash.get(FAILED, False):
            item.stash[FAILED] = False
            for *_, fixture in item._fixtureinfo.name2fixturedefs.values():
                if fixture.scope == "module":
                    fixture.finish(item._request)


@contextmanager
def opening(served, new_page):
    """Give what opens the app as a new person; then nothing may have gone wrong."""
    url, apps = served
    opened = Opened()

    def open_one(query="", **options):
        watched = Watched(new_page(**options), url, apps)
        opened.pages.append(watched)
        return watched.open(query)

    logging.getLogger().addHandler(opened.log)
    OPEN.append(opened)
    yield open_one
    for watched in opened.pages:
        watched.page.close()
    OPEN.remove(opened)
    logging.getLogger().removeHandler(opened.log)
    told = opened.told()
    assert not told, "\n".join(told)


@pytest.fixture
def open_page(browser, served):
    """Open the app as a new person; more than one may be open at a time."""

    def new_page(viewport=USUAL, **options):
        return browser.new_page(viewport=viewport, **options)

    with opening(served, new_page) as open_one:
        yield open_one


@pytest.fixture(scope="session")
def home(browser):
    """A browser at which people sit down one after the other: scripts are cached."""
    context = browser.new_context(viewport=USUAL)
    yield context
    context.close()


@pytest.fixture(scope="module")
def open_module_page(home, served):
    """Open the app once for all tests of a module: opening is what takes longest."""
    origin, _ = served[0].rsplit("/", 1)

    def new_page():
        page = home.new_page()
        home.clear_cookies()
        forget = {"origin": origin, "storageTypes": "all"}
        home.new_cdp_session(page).send("Storage.clearDataForOrigin", forget)
        return page

    with opening(served, new_page) as open_one:
        yield open_one


@pytest.fixture(scope="module")
def problem_page(open_module_page):
    return open_module_page(f"?page=problem&methods=l1{FEW}")


@pytest.fixture
def tiny(problem_page):
    """The tiny world, as a new person would open it."""
    problem_page.turn("problem")
    drawn = Drawn(problem_page)
    drawn.button("Show everything").click()
    return drawn


@pytest.fixture(scope="module")
def page_of_disk(browser):
    """A narrow page that all tests of a module go on with, and what it complains of."""
    page, faults = browser.new_page(viewport={"width": 420, "height": 800}), []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("request", lambda request: faults.append(request.url))
    yield page, faults
    page.close()


@pytest.fixture
def opened(page_of_disk, tmp_path):
    """Open a text as a page from disk; requests and faults fail the test."""
    page, faults = page_of_disk
    faults.clear()

    def open_text(text):
        path = tmp_path / "policy.html"
        path.write_text(text, encoding="utf-8")
        page.goto(path.as_uri())
        faults.remove(path.as_uri())
        return page

    yield open_text
    assert faults == []
