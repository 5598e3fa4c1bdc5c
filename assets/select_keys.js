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

// Of a field for numbers Enter leaves the whole number marked: the next one takes its
// place. A phone shows its keys for numbers.
const numberField = event =>
  event.composedPath().some(one => one.classList?.contains("number-field")) && event.composedPath()[0]

function mark(event) {
  if (event.key === "Enter") numberField(event)?.select?.()
}

function hint(event) {
  numberField(event)?.setAttribute?.("inputmode", "decimal")
}

// The template's sliders step by 10 on these keys, which of a scale of powers is all of it:
// here by a tenth of the way.
const BIG_STEPS = { PageUp: 0.1, PageDown: -0.1 }

function stepFar(event) {
  const [box] = event.composedPath()
  const share = BIG_STEPS[event.key]
  if (!share || box.type !== "range" || box.disabled) return
  event.preventDefault()
  event.stopImmediatePropagation()
  const [low, high, now] = [box.min, box.max, box.value].map(Number)
  const value = Math.min(high, Math.max(low, now + share * (high - low)))
  // What React hears of, a value set by the element's own setter.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(box, value)
  box.dispatchEvent(new Event("input", { bubbles: true, composed: true }))
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
    ["keydown", mark],
    ["keydown", stepFar],
    ["focusin", hint],
    ["click", placeMenu]
  ]
  for (const [name, act] of heard) document.addEventListener(name, act, true)
  model.on("remove", () => {
    for (const [name, act] of heard) document.removeEventListener(name, act, true)
  })
}
