// When the server is gone the page says so, and offers to come back once it is there.
const LOST = "Connection lost. Waiting for the server …"
const BACK = "The server is back. What the address says is restored."
const EVERY = 2000 // ms between two looks

async function isThere() {
  try {
    // A small file that every server of the app has, whatever its prefix.
    const answer = await fetch("static/js/bokeh.min.js", {
      method: "HEAD",
      cache: "no-store",
    })
    return answer.ok
  } catch {
    return false
  }
}

// Above the sheet with which the page says, over all of it, that it could not connect.
function bar() {
  const element = document.createElement("div")
  element.setAttribute("role", "alert")
  element.className = "connection-lost"
  element.style.cssText =
    "position:fixed;left:0;right:0;bottom:0;z-index:10000;display:flex;gap:16px;" +
    "align-items:center;justify-content:center;padding:12px;background:#7a1f1f;" +
    "color:#fff;font:16px/1.4 Roboto,sans-serif"
  const words = document.createElement("span")
  const button = document.createElement("button")
  button.textContent = "Reload"
  button.hidden = true
  button.style.cssText =
    "font:inherit;padding:6px 16px;border:0;border-radius:4px;background:#fff;color:#7a1f1f"
  button.addEventListener("click", () => window.location.reload())
  element.append(words, button)
  return { element, words, button }
}

export function render({ model }) {
  const root = model.document ?? window.Bokeh.documents[0]
  let shown = null
  root.on_event("connection_lost", () => {
    if (shown) return
    shown = bar()
    shown.words.textContent = LOST
    document.body.append(shown.element)
    const look = async () => {
      if (!(await isThere())) return setTimeout(look, EVERY)
      shown.words.textContent = BACK
      shown.button.hidden = false
    }
    setTimeout(look, EVERY)
  })
}
