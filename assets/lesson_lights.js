// Clauses, legend and picture of a lesson: what the mouse or the keyboard is on lights
// up wherever it is spoken of or drawn. Nothing is announced: the words say it already.
const FAINT = 0.15

function clauses(root, found = []) {
  for (const element of root.querySelectorAll("*")) {
    if (element.classList.contains("says")) found.push(element)
    if (element.shadowRoot) clauses(element.shadowRoot, found)
  }
  return found
}

const keysOf = clause => clause.dataset.keys.split(" ").map(Number)
const keysAt = clause => clause ? keysOf(clause) : []
const under = event => event.composedPath().find(one => one.classList?.contains("says"))

// The clause that the element with the focus is, or stands in.
function focused() {
  let one = document.activeElement
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
  return one?.closest(".says")
}

function picture() {
  // While a lesson is turned there may be two of that name; the newest is the last.
  return window.Bokeh.documents.flatMap(one => [...one._all_models.values()])
    .filter(model => model.name === "lesson" && model.renderers).at(-1)
}

export function render({ model }) {
  const root = document.createElement("div")
  const end = new AbortController()
  const on = { focus: [], mouse: [] }  // Places in the legend
  const drawn = new Map()              // The same, by renderer under the mouse
  let shown = ""

  function light() {
    const pointed = [...on.mouse, ...[...drawn.values()].flat()]
    const keys = [...new Set(pointed.length ? pointed : on.focus)].sort()
    const name = keys.join(" ")
    if (name === shown) return
    shown = name
    for (const clause of clauses(document))
      clause.classList.toggle("lit", keysOf(clause).some(key => keys.includes(key)))
    for (const renderer of picture()?.renderers ?? []) {
      const source = renderer.data_source
      const column = name => source.data.get ? source.data.get(name) : source.data[name]
      const alphas = column("alpha"), of = column("keys"), seen = column("seen")
      if (!of) continue
      for (const i of of.keys())
        seen[i] = !keys.length || of[i].some(key => keys.includes(key))
          ? alphas[i] : FAINT * alphas[i]
      source.change.emit()
    }
  }

  const listen = (name, what) => document.addEventListener(name, what, { signal: end.signal })
  const follow = (kind, clause) => {
    on[kind] = keysAt(clause)
    light()
  }
  // Within a shadow tree nobody outside is told of what is left or gets the focus.
  listen("pointermove", event => {
    on.focus = keysAt(focused())  // What had it may be gone
    follow("mouse", under(event))
  })
  listen("keyup", () => follow("focus", focused()))
  listen("pointerup", () => follow("focus", focused()))
  listen("lesson-picture", ({ detail }) => { drawn.set(detail.from, detail.keys); light() })
  model.on("remove", () => end.abort())
  return root
}
