// First stop of Tab: past the menu and the controls, to the question that the page asks.
// Panels live in shadow roots, so that no plain anchor reaches it.
const STYLE = `
  :host { position: fixed; top: -6rem; left: 0.5rem; z-index: 2000; }
  :host(:focus-within) { top: 0.5rem; }
  button { padding: 0.5rem 1rem; border: 2px solid #ffffff; border-radius: 4px;
    background: #1f2328; color: #ffffff; font: 500 1rem system-ui, sans-serif; }
  button:focus-visible { outline: 3px solid #56b4e9; }
`

function question(root) {
  for (const element of root.querySelectorAll("*")) {
    if (element.tagName === "H1" && element.getClientRects().length) return element
    const inside = element.shadowRoot && question(element.shadowRoot)
    if (inside) return inside
  }
  return null
}

export function render({ model }) {
  if (!model.served) return // a notebook has stops of its own before this page
  const host = document.createElement("div")
  const root = host.attachShadow({ mode: "open" })
  root.innerHTML = `<style>${STYLE}</style><button type="button">Skip to the question</button>`
  root.querySelector("button").addEventListener("click", () => {
    const heading = question(document)
    heading?.setAttribute("tabindex", "-1")
    heading?.focus()
  })
  document.body.prepend(host)
  model.on("remove", () => host.remove())
}
