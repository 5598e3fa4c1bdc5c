// On a narrow window the menu would cover the page: close it before it is seen.
function makeRoom(model) {
  if (window.innerWidth >= model.narrow) return
  for (const root of model.document?.roots() ?? window.Bokeh.documents[0].roots()) {
    if (root.data && "sidebar_open" in root.data) root.data.sidebar_open = false
  }
}

export function render({ model }) {
  makeRoom(model)
  // A notebook loses what it is sent before its page stands.
  if (model.tells) model.drawn = true
}
