// A plain table: sorted by its headings, picked by row, readable without eyes.
// Text is set as text, never as markup.
const STYLE = `
.wrap { overflow: auto; height: 100%; outline-offset: -2px; }
table { border-collapse: collapse; width: 100%; font: 14px Roboto, Arial, sans-serif;
  color: var(--text); }
th { position: sticky; top: 0; background: var(--background); text-align: left; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
th button { all: unset; cursor: pointer; padding: 6px 10px; font-weight: 600; }
button:focus-visible { outline: 2px solid var(--lit); border-radius: 3px; }
td { padding: 4px 10px; border-top: 1px solid var(--grid); white-space: nowrap; }
tr.picked td { background: var(--picked); }
tbody tr { cursor: pointer; }
td button { all: unset; cursor: pointer; }
`

export function render({ model }) {
  const root = document.createElement("div")
  root.style.height = "100%"
  const style = document.createElement("style")
  style.textContent = STYLE
  const wrap = document.createElement("div")
  wrap.className = "wrap"
  wrap.tabIndex = 0
  wrap.setAttribute("role", "region")
  root.append(style, wrap)
  let sorting = { column: -1, down: false }

  function colour() {
    for (const [name, value] of Object.entries(model.colours))
      root.style.setProperty(`--${name}`, value)
  }

  function order() {
    const rows = model.rows.map((cells, index) => ({ cells, index }))
    if (sorting.column < 0) return rows
    const sign = sorting.down ? -1 : 1
    const key = row => row.cells[sorting.column]
    return rows.sort((a, b) => sign * (key(a) > key(b) ? 1 : key(a) < key(b) ? -1 : 0))
  }

  function cell(tag, text, number) {
    const element = document.createElement(tag)
    if (number) element.className = "number"
    element.textContent = text
    return element
  }

  function button(text, act) {
    const element = document.createElement("button")
    element.type = "button"
    element.textContent = text
    element.addEventListener("click", act)
    return element
  }

  function heading(name, column) {
    const head = cell("th", "", model.numbers[column])
    head.scope = "col"
    const mark = sorting.column !== column ? "" : sorting.down ? " ↓" : " ↑"
    const sorted = sorting.column !== column ? "none" : sorting.down ? "descending" : "ascending"
    head.setAttribute("aria-sort", sorted)
    head.append(button(name + mark, () => {
      sorting = { column, down: sorting.column === column && !sorting.down }
      draw()
      wrap.querySelectorAll("th button")[column].focus()
    }))
    return head
  }

  function line({ cells, index }) {
    const row = document.createElement("tr")
    if (index === model.picked) row.className = "picked"
    cells.forEach((value, column) => {
      const data = cell("td", column ? value : "", model.numbers[column])
      if (!column) {
        const pick = button(value, () => model.send_msg({ pick: index }))
        pick.setAttribute("aria-pressed", index === model.picked)
        data.append(pick)
      }
      row.append(data)
    })
    row.addEventListener("click", event => {
      if (event.target.tagName !== "BUTTON") model.send_msg({ pick: index })
    })
    return row
  }

  function draw() {
    colour()
    wrap.setAttribute("aria-label", model.caption)
    const table = document.createElement("table")
    const head = document.createElement("tr")
    head.append(...model.columns.map(heading))
    const body = document.createElement("tbody")
    body.append(...order().map(line))
    const top = document.createElement("thead")
    top.append(head)
    table.append(top, body)
    wrap.replaceChildren(table)
  }

  for (const name of ["rows", "columns", "picked", "colours"]) model.on(name, draw)
  draw()
  return root
}
