// That a page is on its way is seen at the click: the server takes a while to build it.
// The question that it asks stands there at once, and where its parts will be. What turns
// the page has the class `turns-page`; the server counts the pages it brought.
const PATIENCE = 30000 // ms after which nobody believes the sign any more
const HEADER = 48 // CSS pixels

function pages(root) {
  for (const element of root.querySelectorAll("*")) {
    if (element.classList.contains("pages")) return element
    const inside = element.shadowRoot && pages(element.shadowRoot)
    if (inside) return inside
  }
}

// What was pressed, if it leads to another page than the one in front.
function turner(event, front) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return null
  const path = event.composedPath()
  const isPart = one => one.matches?.("a, button, [role=button], [role=menuitem]")
  const host = path.findIndex(one => one.classList?.contains("turns-page"))
  const pressed = path.slice(0, host + 1).find(isPart)
  // An icon is text as well, before the title.
  return pressed && !pressed.textContent.trim().endsWith(front) ? pressed : null
}

function sign(question) {
  const element = turningSign(question, "Opening the page")
  Object.assign(element.style, { inset: "auto", pointerEvents: "none", overflow: "hidden" })
  const { left, width, top } = pages(document)?.getBoundingClientRect()
    ?? { left: 0, width: innerWidth, top: 0 }
  // Where it begins on a page that is scrolled, it is below the header.
  const begins = Math.max(top, Math.min(top + scrollY, HEADER))
  element.style.left = `${left}px`
  element.style.width = `${width}px`
  element.style.top = `${begins}px`
  element.style.height = `${innerHeight - begins}px`
  // Above the menu that lies over a narrow page.
  element.popover = "manual"
  return element
}

// A Material component shows what its properties were when it was first drawn, and hears
// of changes a moment later: what changed in between was lost to it, such as that a slider
// may be moved now. Whoever has begun to hear is told once how things stand.
// Not what a person changes, such as a value: that would take back what was just picked.
const TOLD = ["disabled", "visible", "show_value", "label", "start", "end", "step", "options"]
const heard = new WeakSet()
const MOMENTS = [300, 1000, 3000, 9000] // ms after which parts that were called for are drawn

function tellHowThingsStand(page) {
  for (const root of page.roots())
    for (const { _esm_watchers: hears } of root.references())
      for (const [, callback] of TOLD.flatMap(name => hears?.[name] ?? [])) {
        if (!heard.has(callback)) callback()
        heard.add(callback)
      }
}

export function render({ model }) {
  const page = model.document ?? window.Bokeh.documents[0]
  let waiting = []
  const tell = () => {
    waiting.forEach(clearTimeout)
    waiting = MOMENTS.map(moment => setTimeout(() => tellHowThingsStand(page), moment))
  }
  let shown = null, timer = null
  const end = () => {
    clearTimeout(timer)
    shown?.remove()
    shown = null
  }
  const begin = event => {
    const pressed = shown ? null : turner(event, model.front)
    if (!pressed) return
    const said = pressed.textContent.trim()
    const title = Object.keys(model.questions).find(one => said.endsWith(one))
    shown = sign(model.questions[title] ?? "")
    document.body.append(shown)
    shown.showPopover?.()
    timer = setTimeout(end, PATIENCE)
  }
  // On a narrow window the menu lies over what was asked for.
  const uncover = () => {
    if (!shown || innerWidth >= model.narrow) return
    for (const root of page.roots())
      if (root.data && "sidebar_open" in root.data) root.data.sidebar_open = false
  }
  // What has come is drawn first.
  const brought = () => requestAnimationFrame(() => requestAnimationFrame(() => {
    uncover()
    end()
  }))
  document.addEventListener("click", begin, true)
  document.addEventListener("click", tell, true)
  model.on("turned", () => {
    brought()
    tell()
  })
  model.on("remove", () => {
    document.removeEventListener("click", begin, true)
    document.removeEventListener("click", tell, true)
    waiting.forEach(clearTimeout)
    end()
  })
  tell()
}
