// Brings a heading of the page that has just come to the front into view.
// Panels live in shadow roots, so that no plain anchor reaches them; what is folded is
// opened, and what it is folded into.
const PATIENCE = 8000
const EVERY = 150

function headings(root, found = []) {
  for (const element of root.querySelectorAll("*")) {
    if (/^H[1-3]$/.test(element.tagName)) found.push(element)
    if (element.shadowRoot) headings(element.shadowRoot, found)
  }
  return found
}

export function render({ model }) {
  let timer = null

  function seek() {
    clearInterval(timer)
    const [name] = model.place.split("\n")
    if (!name) return
    const until = Date.now() + PATIENCE
    timer = setInterval(() => {
      const heading = headings(document).find(
        one => one.textContent.trim() === name && one.getClientRects().length
      )
      heading?.querySelector('button[aria-expanded="false"]')?.click()
      if (!heading) headings(document)
        .map(one => one.querySelector('button[aria-expanded="false"][data-holds]'))
        .find(one => one && JSON.parse(one.dataset.holds).includes(name))?.click()
      if (heading) heading.scrollIntoView({ block: "start" })
      // What is above may still grow: it is sought once more after it was found.
      if (heading || Date.now() > until) clearInterval(timer)
      if (heading) setTimeout(() => heading.scrollIntoView({ block: "start" }), 900)
    }, EVERY)
  }

  model.on("place", seek)
  model.on("remove", () => clearInterval(timer))
}
