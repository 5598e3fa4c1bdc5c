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

export function render({ model, view }) {
  followWidth(model)
  // A notebook loses what it is sent before its page stands.
  if (model.tells) {
    tellOnlyNews(view.model.document)
    model.drawn = true
  }
}
