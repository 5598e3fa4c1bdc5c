// The drawer at the right. Whatever has the class `opens-tune` opens it and closes it;
// Escape closes it too, and who opened it has the focus again. What has the class
// `closes-by-escape` is pressed by Escape as well.
function within(root, wanted) {
  for (const element of root.querySelectorAll("*")) {
    if (wanted(element)) return element
    const inside = element.shadowRoot && within(element.shadowRoot, wanted)
    if (inside) return inside
  }
  return null
}

const isSeen = element => element.getClientRects().length > 0

export function render({ model }) {
  const roots = () => model.document?.roots() ?? window.Bokeh.documents[0].roots()
  const page = () => roots().find(root => root.data && "contextbar_open" in root.data)?.data
  const opener = event => {
    const path = event.composedPath()
    const host = path.findIndex(one => one.classList?.contains("opens-tune"))
    return path.slice(0, host + 1).find(one => one.tagName === "BUTTON")
  }
  const anyOpener = () => {
    const host = within(document, one => one.classList.contains("opens-tune") && isSeen(one))
    return host && within(host.shadowRoot ?? host, one => one.tagName === "BUTTON")
  }
  let pressed = null

  // What the server sends when it is opened first is waited for, for some frames.
  const enter = (patience = 120) => {
    if (!page()?.contextbar_open) return
    const bar = within(document, one => one.classList.contains("contextbar"))
    const first = bar && within(bar, one => one.tagName === "BUTTON" && isSeen(one))
    if (first) first.focus()
    else if (patience) requestAnimationFrame(() => enter(patience - 1))
  }
  const set = open => {
    const data = page()
    if (!data || data.contextbar_open === open) return
    data.contextbar_open = open
    pressed?.setAttribute("aria-expanded", String(open))
    if (open) return enter()
    const back = pressed && pressed.isConnected && isSeen(pressed) ? pressed : anyOpener()
    back?.focus()
  }
  const press = event => {
    const button = opener(event)
    if (!button) return
    const opens = !page()?.contextbar_open
    if (opens) pressed = button
    set(opens)
  }
  // What lies over a picture is closed by its own button, once the drawer is closed.
  const closer = () => {
    const host = within(document, one => one.classList.contains("closes-by-escape") && isSeen(one))
    return host && within(host.shadowRoot ?? host, one => one.tagName === "BUTTON")
  }
  const key = event => {
    if (event.key !== "Escape" || event.defaultPrevented) return
    const isOpen = page()?.contextbar_open
    const button = isOpen ? null : closer()
    if (!isOpen && !button) return
    event.preventDefault()
    isOpen ? set(false) : button.click()
  }
  document.addEventListener("click", press, true)
  document.addEventListener("keydown", key)
  model.on("remove", () => {
    document.removeEventListener("click", press, true)
    document.removeEventListener("keydown", key)
  })
}
