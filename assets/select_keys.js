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

// A number field that took Enter is where the keys go, and ignores what is typed until it
// is left: the template thinks that Enter has left it. It is left, and come back to; by
// whoever types on at once, before the next key counts.
let waiting = null

function comeBack(event) {
  waiting?.()
  // What the template does of being left and come back to is done by then.
  if (waiting) queueMicrotask(() => waiting?.())
  const [field] = event.composedPath()
  if (event.key !== "Enter" || field.parentElement?.getAttribute("inputmode") !== "decimal")
    return
  const later = (act, delay) => {
    const timer = setTimeout(() => waiting?.(), delay)
    waiting = () => {
      clearTimeout(timer)
      waiting = null
      // Who has gone on to another field meanwhile is not to be called back.
      if (field.matches(":focus")) act()
    }
  }
  const leave = () => {
    const held = field.value
    field.blur()
    field.focus()
    later(() => showHeld(field, held), 0)
  }
  later(leave, 50)
}

// What is no number would stand there again, as it was typed.
function showHeld(field, held) {
  if (field.value !== held) {
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set
    write.call(field, held)
    field.dispatchEvent(new Event("input", { bubbles: true }))
  }
  field.select()
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
  for (const heard of [open, comeBack]) {
    document.addEventListener("keydown", heard, true)
    model.on("remove", () => document.removeEventListener("keydown", heard, true))
  }
  document.addEventListener("click", placeMenu, true)
  model.on("remove", () => document.removeEventListener("click", placeMenu, true))
  return document.createElement("div")
}
