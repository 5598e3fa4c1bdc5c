// Brings what has been asked for into view, once it is there: the verdict of a lesson, or
// the title of the one that is turned to. What is seen already stays where it is.
const PATIENCE = 8000
const SETTLES = 2000
const EVERY = 100

function ofClass(name, root) {
  for (const one of root.querySelectorAll("*")) {
    if (one.classList.contains(name) && one.getClientRects().length) return one
    const inside = one.shadowRoot && ofClass(name, one.shadowRoot)
    if (inside) return inside
  }
  return null
}

export function render({ model }) {
  const end = new AbortController()
  let timer = null
  const stop = () => clearInterval(timer)
  const seek = () => {
    stop()
    const [name] = model.sought.split("\n")
    let until = Date.now() + PATIENCE, found = null
    timer = setInterval(() => {
      const isNew = !found
      found = ofClass(name, document)
      found?.scrollIntoView({ block: "nearest" })
      // While its picture is computed words above it come, and take more lines.
      if (found && isNew) until = Date.now() + SETTLES
      if (Date.now() > until) stop()
    }, EVERY)
  }
  model.on("sought", seek)
  // Whoever scrolls wants to see something else.
  for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"])
    document.addEventListener(kind, stop, { signal: end.signal, passive: true })
  model.on("remove", () => {
    stop()
    end.abort()
  })
  return document.createElement("div")
}
