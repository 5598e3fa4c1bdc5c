// One thing under the pointer or the focus lights up wherever it stands: as a word, a
// tile, a row or cell, a mark of a figure. It stays in the browser: nothing is sent.
// A thing is a text such as "feature:mean"; several stand in lines below each other.
const lines = text => (text ? text.split("\n") : [])
const under = event => event.composedPath().find(one => one.dataset?.thing)
const thingsAt = one => lines(one?.dataset.lights ?? one?.dataset.thing)

function told(root, found = []) {
  for (const element of root.querySelectorAll("*")) {
    if (element.dataset?.thing) found.push(element)
    if (element.shadowRoot) told(element.shadowRoot, found)
  }
  return found
}

// The thing that the element with the focus is, or stands in.
function focused() {
  let one = document.activeElement
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
  return one?.closest("[data-thing]")
}

function* figures(models = window.Bokeh?.documents ?? []) {
  for (const one of models)
    for (const model of one._all_models.values())
      if (model.type === "GlyphRenderer" && model.hover_glyph) yield model
}

function lightMarks(lit) {
  for (const renderer of figures()) {
    const source = renderer.data_source
    const things = source.data.get ? source.data.get("thing") : source.data.thing
    if (!things) continue
    const indices = lit.size
      ? [...things.keys()].filter(i => lines(things[i]).some(one => lit.has(one)))
      : []
    const before = source.inspected.indices
    if (indices.length === before.length && indices.every((one, i) => one === before[i]))
      continue
    const inspected = new source.inspected.constructor({ indices })
    source.setv({ inspected }, { silent: true })
    renderer.change.emit()  // It is painted anew
  }
}

export function render({ model }) {
  const end = new AbortController()
  const on = { focus: [], mouse: [] }
  const drawn = new Map()  // The same, by renderer under the mouse
  let shown = ""

  function light() {
    const pointed = [...on.mouse, ...[...drawn.values()].flat()]
    const lit = new Set(pointed.length ? pointed : on.focus)
    const name = [...lit].sort().join("\n")
    if (name !== shown)
      for (const element of told(document))
        element.classList.toggle("alight", lines(element.dataset.thing).some(one => lit.has(one)))
    shown = name
    lightMarks(lit)
  }

  const listen = (name, what) => document.addEventListener(name, what, { signal: end.signal })
  listen("pointermove", event => {
    const now = thingsAt(under(event))
    if (!now.length && !on.mouse.length && !on.focus.length) return
    on.focus = thingsAt(focused())  // What had it may be gone
    on.mouse = now
    light()
  })
  const focus = () => {
    on.focus = thingsAt(focused())
    if (on.focus.length || shown) light()
  }
  listen("keyup", focus)
  listen("pointerup", focus)
  listen("pointed", ({ detail }) => {
    const now = detail.things.flatMap(lines)
    if (!now.length && !drawn.get(detail.from)?.length) return
    drawn.set(detail.from, now)
    light()
  })
  model.on("remove", () => end.abort())
}
