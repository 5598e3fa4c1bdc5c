// The page as it is presented: picture, controls and answer, larger, and nothing around
// them; or embedded in another page. What is hidden is said by properties that reach
// into every part (`thriftscope.css`); words in pictures are Bokeh's own.
const KINDS = ["present", "embed"]
const LARGER = 1.35
const SIZES = [
  "axis_label_text_font_size", "major_label_text_font_size", "label_text_font_size",
  "title_text_font_size", "text_font_size",
]

// Where a letter would be typed, or would find an entry of a list.
function types(event) {
  return event.composedPath().some(one => {
    if (one.tagName === "INPUT") return !["range", "checkbox", "radio"].includes(one.type)
    const role = one.getAttribute?.("role")
    return ["TEXTAREA", "SELECT"].includes(one.tagName) || one.isContentEditable
      || ["combobox", "option", "menuitem", "dialog"].includes(role)
  })
}

function sizeOf(value) {
  const text = typeof value === "string" ? value : value?.value
  return /^\d+(\.\d+)?px$/.test(text ?? "") ? parseFloat(text) : null
}

// Each model's own sizes are remembered, and are there again afterwards.
function letters(sizes, isLarger) {
  for (const one of window.Bokeh.documents)
    for (const model of one._all_models.values())
      for (const name of SIZES) {
        if (!(name in model.properties)) continue
        const key = `${model.id} ${name}`, now = sizeOf(model[name])
        if (now === null || sizes.has(key) === isLarger) continue
        const size = isLarger ? LARGER * now : sizes.get(key)
        if (isLarger) sizes.set(key, now)
        else sizes.delete(key)
        model.setv({ [name]: `${size}px` }, { sync: false })
      }
}

export function render({ model }) {
  const page = document.documentElement, sizes = new Map()
  let timer = null, button = null

  const leave = () => { model.frame = "" }
  const show = () => {
    const isPresented = model.frame === "present"
    for (const kind of KINDS) page.classList.toggle(`as-${kind}`, model.frame === kind)
    clearInterval(timer)
    button?.remove()
    button = null
    letters(sizes, isPresented)
    if (!isPresented) return
    // Pages that are turned to bring pictures of their own.
    timer = setInterval(() => letters(sizes, true), 1000)
    button = document.createElement("button")
    button.className = "leave-presenting"
    button.textContent = "Leave (Esc)"
    button.addEventListener("click", leave)
    document.body.append(button)
  }
  const key = event => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === "Escape" && model.frame === "present") leave()
    if (event.key === "p" && model.frame === "" && !types(event)) model.frame = "present"
  }
  document.addEventListener("keydown", key)
  model.on("frame", show)
  model.on("remove", () => {
    document.removeEventListener("keydown", key)
    clearInterval(timer)
    button?.remove()
    page.classList.remove("as-present", "as-embed")
  })
  show()
  return document.createElement("div")
}
