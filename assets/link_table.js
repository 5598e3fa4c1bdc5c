// A table whose last column opens pages. Its links are real: a click follows them within
// the app, a click with a key held opens them in a tab of their own.
// Text is set as text, never as markup.
const STYLE = `
.wrap { overflow: auto; outline-offset: -2px; }
table { border-collapse: collapse; width: 100%; font: 14px Roboto, Arial, sans-serif;
  color: var(--text); }
caption { text-align: left; font-weight: 500; font-size: 15px; padding: 16px 10px 4px; }
th { text-align: left; font-weight: 600; padding: 4px 10px; }
td { padding: 5px 10px; border-top: 1px solid var(--grid); vertical-align: top; }
td:first-child { white-space: nowrap; }
th:nth-child(1) { width: 4.5em; }
th:nth-child(2) { width: 28%; }
th:nth-child(4) { width: 8.5em; }
a { color: var(--link); white-space: nowrap; }
a:focus-visible { outline: 2px solid var(--lit); border-radius: 3px; }
`

export function render({ model }) {
  const root = document.createElement("div")
  const style = document.createElement("style")
  style.textContent = STYLE
  const wrap = document.createElement("div")
  wrap.className = "wrap"
  wrap.tabIndex = 0
  wrap.setAttribute("role", "region")
  root.append(style, wrap)

  function cell(tag, text) {
    const element = document.createElement(tag)
    element.textContent = text
    return element
  }

  function opening({ label, query }, index) {
    const link = cell("a", label)
    link.href = query
    link.addEventListener("click", event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      model.send_msg({ open: index })
    })
    return link
  }

  function line(row, index) {
    const element = document.createElement("tr")
    element.append(...row.cells.map(text => cell("td", text)))
    const last = document.createElement("td")
    last.append(row.query ? opening(row, index) : row.label)
    element.append(last)
    return element
  }

  function draw() {
    for (const [name, value] of Object.entries(model.colours))
      root.style.setProperty(`--${name}`, value)
    wrap.setAttribute("aria-label", model.caption)
    const table = document.createElement("table")
    const head = document.createElement("tr")
    head.append(...model.columns.map(name => {
      const heading = cell("th", name)
      heading.scope = "col"
      return heading
    }))
    const top = document.createElement("thead")
    top.append(head)
    const body = document.createElement("tbody")
    body.append(...model.rows.map(line))
    table.append(cell("caption", model.caption), top, body)
    wrap.replaceChildren(table)
  }

  for (const name of ["rows", "columns", "caption", "colours"]) model.on(name, draw)
  draw()
  return root
}
