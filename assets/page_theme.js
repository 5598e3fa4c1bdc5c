// Browser and server may change the theme at once, and each take what the other had: where
// they still differ when both are at rest, the page takes what the server has.
const REST = 1000 // ms

function pages(model) {
  const roots = model.document?.roots() ?? window.Bokeh.documents[0].roots()
  return roots.map(root => root.data).filter(data => data && "dark_theme" in data)
}

export function render({ model }) {
  let timer = null
  const rest = () => clearTimeout(timer)
  const follow = () => {
    for (const page of pages(model))
      if (page.dark_theme !== model.dark) page.dark_theme = model.dark
  }
  // What is changed in the page is on its way: the server answers if that is news to it.
  for (const page of pages(model)) page.properties.dark_theme.change.connect(rest)
  model.on("dark", () => {
    rest()
    timer = setTimeout(follow, REST)
  })
  model.on("remove", () => {
    rest()
    for (const page of pages(model)) page.properties.dark_theme.change.disconnect(rest)
  })
}
