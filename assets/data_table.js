// A plain table, readable without eyes: sorted by its headings and picked by row, or, as
// prose, read in its order under its caption. Text is set as text, never as markup.
const STYLE = `
.wrap { overflow: auto; height: 100%; outline-offset: -2px; }
table { border-collapse: collapse; width: 100%; font: 14px Roboto, Arial, sans-serif;
  color: var(--text); }
th { position: sticky; top: 0; background: var(--background); text-align: left; }
th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
th button { all: unset; cursor: pointer; padding: 6px 10px; font-weight: 600; }
button:focus-visible { outline: 2px solid var(--mui-palette-text-primary, currentColor); outline-offset: 2px; border-radius: 3px; }
td { padding: 4px 10px; border-top: 1px solid var(--grid); white-space: nowrap; }
tr.picked td { background: var(--picked); }
tbody tr { cursor: pointer; }
td button { all: unset; cursor: pointer; }
.prose caption { text-align: left; font-weight: 500; font-size: 15px;
  padding: 16px 10px 4px; }
.prose th { font-weight: 600; padding: 4px 10px; }
.prose td { padding: 5px 10px; vertical-align: top; white-space: normal; }
.prose td:first-child { white-space: nowrap; }
.prose tbody tr { cursor: auto; }
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
    const head = cell("th", model.prose ? name : "", model.numbers[column])
    head.scope = "col"
    if (model.prose) return head
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

  function proseLine(cells, index) {
    const row = document.createElement("tr")
    row.dataset.index = index
    row.append(...cells.map(value => cell("td", value)))
    return row
  }

  function told(value, column) {
    const decimals = model.decimals[column] ?? null
    return typeof value === "number" && decimals !== null ? value.toFixed(decimals) : value
  }

  function line({ cells, index }) {
    const row = document.createElement("tr")
    row.dataset.index = index
    if (index === model.picked) row.className = "picked"
    cells.forEach((value, column) => {
      const data = cell("td", column ? told(value, column) : "", model.numbers[column])
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

  // The row on whose button or link the keyboard stands: rows are made anew.
  function stoodAt() {
    const held = wrap.getRootNode().activeElement
    const row = held && wrap.contains(held) ? held.closest("tbody tr") : null
    return row && { name: held.textContent, index: row.dataset.index }
  }

  // Several rows may have one name, and a row may have moved.
  function standAt({ name, index }) {
    const named = [...wrap.querySelectorAll("tbody button, tbody a")]
      .filter(one => one.textContent === name)
    const same = named.find(one => one.closest("tr").dataset.index === index)
    const stands = same ?? named[0]
    stands?.focus({ preventScroll: true })
  }

  function draw() {
    const stood = stoodAt()
    colour()
    wrap.setAttribute("aria-label", model.caption)
    const table = document.createElement("table")
    if (model.prose) table.className = "prose"
    const head = document.createElement("tr")
    head.append(...model.columns.map(heading))
    const body = document.createElement("tbody")
    body.append(...(model.prose ? model.rows.map(proseLine) : order().map(line)))
    const top = document.createElement("thead")
    top.append(head)
    if (model.prose) table.append(cell("caption", model.caption))
    table.append(top, body)
    wrap.replaceChildren(table)
    if (stood) standAt(stood)
  }

  for (const name of ["rows", "columns", "picked", "colours"]) model.on(name, draw)
  draw()
  return root
}
