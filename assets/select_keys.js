// Drop-downs open with Enter, Space and arrows, as those of a browser do. The template's
// own open by click alone: their key handler asks for a callback that it does not have.
const OPENS = ["Enter", " ", "ArrowUp", "ArrowDown"]

function closedBox(event) {
  const [box] = event.composedPath()
  const is = (name, value) => box.getAttribute?.(name) === value
  // A field with suggestions is a combobox as well, and opens by itself.
  const isBox = is("role", "combobox") && box.tagName !== "INPUT"
  return isBox && !is("aria-expanded", "true") && !is("aria-disabled", "true") ? box : null
}

// The template thinks that Enter has left a number field, which is where the keys still
// go, and ignores what is typed then. What Enter takes goes to the model from here.
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i
const PLAIN = new Intl.NumberFormat("en", { useGrouping: false, maximumFractionDigits: 20 })

function numberField(event) {
  const path = event.composedPath()
  const [field] = path
  if (field.parentElement?.getAttribute("inputmode") !== "decimal") return null
  const holds = view => path.includes(view.el) && "value" in (view.model.data?.attributes ?? {})
  const view = Bokeh.index.query_one(holds)
  return view && { field, model: view.model.data }
}

const isNumber = text => NUMBER.test(text.trim())

function show(field, value) {
  const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set
  write.call(field, value ?? "")
  field.dispatchEvent(new Event("input", { bubbles: true }))
}

function take(event) {
  const found = event.key === "Enter" && numberField(event)
  if (!found) return
  event.preventDefault()
  event.stopImmediatePropagation()
  const { field, model } = found
  const isNone = field.value.trim() === ""
  const typed = isNone ? null : isNumber(field.value) ? Number(field.value) : model.value
  show(field, typed)
  model.setv({ value: typed })
  field.select()
}

// Left with what the template takes for no number, as 1e-3, it would go back to what it
// held when it was come to. What is one is taken at once: who turns the page by that click
// would take the field away before the template hears of it.
function leave(event) {
  const found = numberField(event)
  if (!found || found.field.value.trim() === "") return
  const { field, model } = found
  if (!isNumber(field.value)) return show(field, model.value)
  const typed = Number(field.value)
  if (/e/i.test(field.value)) show(field, PLAIN.format(typed))
  model.setv({ value: typed })
}

// The document does not hear of who goes on to a neighbour.
function hear(event) {
  numberField(event)?.field.addEventListener("blur", leave, { once: true })
}

// The template lets a menu end where its button ends, which at the left of the bar is
// beside it. One that is to begin where its button does is told where that is.
function placeMenu(event) {
  const host = event.composedPath().find(one => one.classList?.contains("opens-menu"))
  host?.style.setProperty("--menu-left", `${host.getBoundingClientRect().left}px`)
}

export function render({ model }) {
  // Let go on the option that opening has put the focus on, Space would choose it.
  const letGo = event => {
    if (event.key !== " ") return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const open = event => {
    if (!OPENS.includes(event.key) || event.ctrlKey || event.metaKey) return
    const box = closedBox(event)
    if (!box) return
    event.preventDefault()
    box.click()
    if (event.key === " ")
      document.addEventListener("keyup", letGo, { capture: true, once: true })
  }
  const heard = [
    ["keydown", open],
    ["keydown", take],
    ["input", hear],
    ["click", placeMenu]
  ]
  for (const [name, act] of heard) document.addEventListener(name, act, true)
  model.on("remove", () => {
    for (const [name, act] of heard) document.removeEventListener(name, act, true)
  })
}
