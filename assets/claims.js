// Figures and tables of a paper: each with what became of its claims, and the claims
// with their numbers when it is opened. Text is set as text, never as markup.
const STYLE = `
:host { display: block; }
h2 { font-size: 16px; font-weight: 500; margin: 6px 10px; }
ul { list-style: none; margin: 0; padding: 0; }
li { border-top: 1px solid rgb(128 128 128 / 0.3); padding: 2px 10px; }
.head { display: grid; gap: 2px 12px; align-items: center;
  grid-template-columns: 5.5em minmax(0, 5fr) minmax(0, 4fr) 13em; min-height: 44px; }
.number { font-weight: 500; }
.chips { display: flex; flex-wrap: wrap; gap: 4px; }
.chip { padding: 1px 9px; border-radius: 1rem; border: 1px solid; font-size: 14px;
  white-space: nowrap; place-self: start; }
.chip.holds { border-color: #008060; background: rgb(0 128 96 / 0.12); }
.chip.holds::before { content: "✓ "; }
.chip.not { border-color: #b3261e; background: rgb(179 38 30 / 0.12); }
.chip.not::before { content: "✗ "; }
.chip.noise { border-style: dashed; }
a { color: var(--lit); display: inline-flex; min-height: 44px; align-items: center; }
a:focus-visible, summary:focus-visible { outline: 2px solid currentColor;
  outline-offset: 2px; border-radius: 3px; }
summary { cursor: pointer; padding: 6px 0; min-height: 32px; box-sizing: border-box; }
.claim { display: grid; gap: 2px 16px; padding: 6px 0 10px 1.2em;
  grid-template-columns: minmax(0, 4fr) minmax(0, 3fr) minmax(0, 4fr) 8em; }
.claim p { margin: 0; overflow-wrap: anywhere; }
.claim b { display: block; font-weight: 400; font-size: 14px; opacity: 0.75; }
button { font: inherit; font-size: 14px; color: inherit; background: none;
  border: 1px solid rgb(128 128 128 / 0.6); border-radius: 4px; min-height: 44px;
  padding: 0 12px; cursor: pointer; }
button:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.opens { display: flex; flex-wrap: wrap; gap: 4px 10px; }
@media (max-width: 800px) {
  .head { grid-template-columns: 4.5em minmax(0, 1fr); align-items: start; }
  .head .chips, .head .opens { grid-column: 2; }
  .claim { grid-template-columns: minmax(0, 1fr); padding-left: 0.6em; } }
`
const KINDS = { "holds": "holds", "does not hold": "not" }

function made(tag, className, text = "") {
  const element = document.createElement(tag)
  element.className = className
  element.textContent = text
  return element
}

function chip({ outcome, text }) {
  return made("span", `chip ${KINDS[outcome] ?? "noise"}`, text)
}

function told(title, text) {
  const element = document.createElement("p")
  element.append(made("b", "", title), text)
  return element
}

function claim(one) {
  const row = made("div", "claim")
  row.append(told("Claimed", one.sentence), told("As published", one.published),
    told("Measured here", one.measured), chip(one))
  return row
}

export function render({ model }) {
  const root = made("section", "")
  const list = document.createElement("ul")
  const style = document.createElement("style")
  style.textContent = STYLE
  root.append(style, ...(model.is_rest ? [] : [made("h2", "", model.title)]), list)
  root.setAttribute("role", "region")
  root.setAttribute("aria-label", model.is_rest ? `${model.title}, the rest` : model.title)

  function opens(entry, place) {
    const cell = made("span", "opens")
    if (entry.study) {
      const see = made("button", "", model.opened === place ? "Close" : "See it here")
      see.setAttribute("aria-expanded", model.opened === place)
      see.setAttribute("aria-label", `${see.textContent}: ${entry.number}`)
      see.addEventListener("click", () => model.send_msg({ see: place }))
      cell.append(see)
    }
    if (!entry.query) return cell
    const link = made("a", "turns-page", entry.page)
    link.href = entry.query
    link.addEventListener("click", event => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      model.send_msg({ open: place })
    })
    cell.append(link)
    return cell
  }

  function item(entry, place) {
    const line = document.createElement("li"), head = made("div", "head")
    const chips = made("span", "chips")
    chips.append(...entry.counts.map(chip))
    if (!entry.counts.length) chips.textContent = entry.said
    head.append(made("span", "number", entry.number), made("span", "", entry.shows),
      chips, opens(entry, place))
    line.append(head)
    if (entry.claims.length) {
      const more = document.createElement("details"), summary = document.createElement("summary")
      const n = entry.claims.length
      summary.textContent = n === 1 ? "1 claim and what came out" : `${n} claims and what came out`
      more.append(summary, ...entry.claims.map(claim))
      line.append(more)
    }
    return line
  }

  function draw() {
    root.style.setProperty("--lit", model.link_colour)
    const unfolded = [...list.children].map(line => !!line.querySelector("details")?.open)
    const focused = [...list.children].findIndex(line => line.contains(root.getRootNode().activeElement))
    const lines = model.entries.map(item)
    lines.forEach((line, place) => {
      const more = line.querySelector("details")
      if (more && unfolded[place]) more.open = true
    })
    list.replaceChildren(...lines)
    lines[focused]?.querySelector("button")?.focus()
  }
  model.on("entries", draw)
  model.on("opened", draw)
  model.on("link_colour", () => root.style.setProperty("--lit", model.link_colour))
  draw()
  return root
}
