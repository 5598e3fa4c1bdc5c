// On a narrow window the menu would cover the page: close it before it is seen, and when
// a window is made narrow.
function makeRoom(model) {
  if (window.innerWidth >= model.narrow) return
  for (const root of model.document?.roots() ?? window.Bokeh.documents[0].roots()) {
    if (root.data && "sidebar_open" in root.data) root.data.sidebar_open = false
  }
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
  makeRoom(model)
  const narrow = matchMedia(`(max-width: ${model.narrow - 0.02}px)`)
  const narrowed = () => makeRoom(model)
  narrow.addEventListener("change", narrowed)
  model.on("remove", () => narrow.removeEventListener("change", narrowed))
  // A notebook loses what it is sent before its page stands.
  if (model.tells) {
    tellOnlyNews(view.model.document)
    model.drawn = true
  }
}
