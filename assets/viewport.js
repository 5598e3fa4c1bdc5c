// On a narrow window the menu would cover the page: close it before it is seen.
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
  // A notebook loses what it is sent before its page stands.
  if (model.tells) {
    tellOnlyNews(view.model.document)
    model.drawn = true
  }
}
