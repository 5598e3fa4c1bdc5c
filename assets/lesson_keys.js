// The keys by which a lesson is presented.
const KEYS = {
  ...Object.fromEntries([0, 1, 2, 3].map(place => [`${place + 1}`, { pick: place }])),
  " ": "reveal",
  ArrowRight: { move: 1 },
  ArrowLeft: { move: -1 },
  PageDown: { turn: 1 },
  PageUp: { turn: -1 },
}

// Whether the focus is where the key has a meaning of its own.
function isTaken(event) {
  const tags = event.composedPath().map(one => one.tagName)
  if (event.key === " ") return ["INPUT", "BUTTON", "A"].some(tag => tags.includes(tag))
  return event.key.startsWith("Arrow") && tags.includes("INPUT")
}

// What had the focus as presenting began would take the space bar.
function unfocus() {
  let one = document.activeElement
  while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement
  one?.blur()
}

export function render({ model }) {
  const press = event => {
    if (!model.is_on || event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.key in KEYS) || isTaken(event)) return
    event.preventDefault()
    model.send_msg(KEYS[event.key])
  }
  document.addEventListener("keydown", press)
  model.on("is_on", () => { if (model.is_on) unfocus() })
  model.on("remove", () => document.removeEventListener("keydown", press))
  return document.createElement("div")
}
