// On a narrow window the menu would cover the page: close it before it is seen.
export function render({ model }) {
  if (window.innerWidth >= model.narrow) return
  for (const root of model.document?.roots() ?? window.Bokeh.documents[0].roots()) {
    if (root.data && "sidebar_open" in root.data) root.data.sidebar_open = false
  }
}
