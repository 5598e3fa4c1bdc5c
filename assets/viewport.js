// On a narrow window the menu would cover the page: close it before it is seen, and when
// a window is made narrow; one that is made wide again has it back.
function followWidth(model) {
  const roots = () => model.document?.roots() ?? window.Bokeh.documents[0].roots()
  const pages = () => roots().map(root => root.data ?? {}).filter(data => "sidebar_open" in data)
  const narrow = matchMedia(`(max-width: ${model.narrow - 0.02}px)`)
  let closed = []  // that were open before the window was made narrow
  const follow = () => {
    const open = narrow.matches ? pages().filter(data => data.sidebar_open) : []
    for (const data of open) data.sidebar_open = false
    for (const data of closed) data.sidebar_open = true
    closed = open
  }
  if (narrow.matches) for (const data of pages()) data.sidebar_open = false
  narrow.addEventListener("change", follow)
  model.on("remove", () => narrow.removeEventListener("change", follow))
}

// In a notebook Panel tells the kernel all that the kernel has just told it: hundreds of
// messages when the app opens, for which the kernel lets everything else wait.
function tellOnlyNews(document) {
  for (const manager of document.roots()) {
    if (manager.type !== "panel.models.comm_manager.CommManager") continue
    document.remove_on_change(manager._document_listener)
    manager._document_listener = (event) => {
      if (event.sync !== false) manager._document_changed(event)
    }
    document.on_change(manager._document_listener)
  }
}

// Each time anything is shown or hidden, Bokeh empties the sizes of every part of the page
// and writes them again, mostly as they were. A browser that measures meanwhile works out
// all styles anew for each: here only what has changed is written, once all is known.
function writeChangedStyles() {
  let sheet, layout
  try {
    sheet = Bokeh.require("core/dom").InlineStyleSheet.prototype
    layout = Bokeh.require("models/layouts/layout_dom").LayoutDOMView.prototype
  } catch {
    return // a Bokeh that is built otherwise: slower, and right
  }
  if (sheet.coming) return // another app on this page
  sheet.coming = new Map()
  const write = () => {
    for (const [one, css] of sheet.coming)
      if (one.el.textContent !== css) one.el.textContent = css
    sheet.coming.clear()
  }
  let depth = 0
  Object.defineProperty(sheet, "css", {
    get() { return sheet.coming.get(this) ?? this.el.textContent },
  })
  sheet._update = function (css) {
    sheet.coming.set(this, css)
    if (!depth) write()
  }
  const update = layout.update_layout
  layout.update_layout = function () {
    depth += 1
    try { update.call(this) }
    finally { if (!--depth) write() }
  }
}

export function render({ model, view }) {
  writeChangedStyles()
  followWidth(model)
  // A notebook loses what it is sent before its page stands.
  if (!model.served) {
    tellOnlyNews(view.model.document)
    model.drawn = true
  }
}
