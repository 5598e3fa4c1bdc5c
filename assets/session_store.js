// Keeps a session in this browser's own storage, and gives it back when the page opens.
// Every tab keeps its own; a new tab begins with what was kept last.
const NAME = "thriftscope"
const STORE = "sessions"
const THEME = "thriftscope-theme"
const MOST = 8
const preference = window.matchMedia("(prefers-color-scheme: dark)")

const wait = request => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
})

async function opened() {
  const request = indexedDB.open(NAME, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return wait(request)
}

function tab() {
  let id = sessionStorage.getItem(NAME)
  if (!id) {
    id = `${Date.now()}-${Math.random().toString(36).slice(2)}`
    sessionStorage.setItem(NAME, id)
  }
  return id
}

async function all(store) {
  const [keys, values] = await Promise.all([wait(store.getAllKeys()), wait(store.getAll())])
  return keys.map((key, k) => ({ key, ...values[k] })).sort((a, b) => b.time - a.time)
}

async function found() {
  const database = await opened()
  const kept = await all(database.transaction(STORE).objectStore(STORE))
  return kept.find(one => one.key === tab()) ?? kept[0]
}

// What the page is opened in next time (ask_theme.html): empty where it is the system's.
function keepTheme(isDark) {
  const chosen = isDark === preference.matches ? "" : isDark ? "dark" : "light"
  try {
    for (const storage of [sessionStorage, localStorage]) storage.setItem(THEME, chosen)
  } catch { /* full: the system's theme it is, and the session is kept all the same */ }
}

// A browser may take what is put, and have no room for it in the end.
function ended(transaction) {
  const end = new Promise((resolve, reject) => {
    transaction.oncomplete = resolve
    transaction.onabort = () => reject(transaction.error)
  })
  end.catch(() => {}) // whoever waits for it hears of it
  return end
}

async function keep(text, table, search) {
  const database = await opened()
  const transaction = database.transaction(STORE, "readwrite")
  const end = ended(transaction)
  const store = transaction.objectStore(STORE)
  const before = await wait(store.get(tab()))
  // A table that has not changed is not sent again.
  const rows = table === null ? before?.table ?? "" : table
  const system = preference.matches // the theme that the session followed, or left
  await wait(store.put({ text, table: rows, search, system, time: Date.now() }, tab()))
  for (const { key } of (await all(store)).slice(MOST)) store.delete(key)
  await end
}

async function copy(link) {
  const { origin, pathname } = window.location
  await navigator.clipboard.writeText(origin + pathname + link)
}

// A server that comes back knows nothing of this page: open it again, with what is kept.
function reopenAfter() {
  const script = document.querySelector('script[src*="bokeh"]')
  const probe = script ? script.src : window.location.href
  const ask = async () => {
    try {
      const answer = await fetch(probe, { cache: "no-store" })
      if (answer.ok) return window.location.reload()
    } catch { /* it is still away */ }
    setTimeout(ask, 1000)
  }
  setTimeout(ask, 1000)
}

function typing(event) {
  return event.composedPath().some(element =>
    ["INPUT", "TEXTAREA"].includes(element.tagName)
      ? !["range", "checkbox", "radio"].includes(element.type)
      : element.isContentEditable)
}

function shortcut(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented) return null
  const key = event.key.toLowerCase()
  if (key === "z") return event.shiftKey ? "redo" : "undo"
  return key === "y" ? "redo" : null
}

// A table of one's own takes a while to be read: what the page opens with meanwhile is
// not what was kept, and does not stand there as if it were.
const PATIENCE = 60000 // ms after which the sign goes, whatever became of it

function readingSign() {
  const words = "What this browser has kept is being read."
  const element = turningSign(words, "Opening what this browser has kept")
  document.body.append(element)
  setTimeout(() => element.remove(), PATIENCE)
  return element
}

export function render({ model }) {
  // In a notebook the page, its storage and its shortcuts are somebody else's.
  if (!model.stores) return
  const say = message => model.send_msg(message)
  document.cookie = `${THEME}=; max-age=0` // it has told the server what it was for
  let isLost = false, reading = null
  for (const one of window.Bokeh?.documents ?? [])
    one.on_event("connection_lost", () => {
      if (!isLost) reopenAfter()
      isLost = true
    })

  const listen = event => {
    const op = shortcut(event)
    if (!op || typing(event)) return
    event.preventDefault()
    say({ op })
  }
  const follow = () => say({ op: "theme", dark: preference.matches })
  document.addEventListener("keydown", listen)
  preference.addEventListener("change", follow)
  model.on("remove", () => {
    document.removeEventListener("keydown", listen)
    preference.removeEventListener("change", follow)
  })

  model.on("msg:custom", async message => {
    try {
      if (message.read) {
        reading?.remove()
      } else if (message.link !== undefined) {
        await copy(message.link)
        say({ op: "copied", done: true })
      } else {
        keepTheme(message.dark)
        await keep(message.text, message.table, window.location.search)
        say({ op: "kept", done: true })
      }
    } catch {
      say({ op: message.link !== undefined ? "copied" : "kept", done: false })
    }
  })
  found()
    .then(kept => {
      if (kept?.table) reading = readingSign()
      say({ op: "found", text: kept?.text ?? "", table: kept?.table ?? "",
        dark: preference.matches, was: kept?.system ?? null,
        same: !kept || !window.location.search || kept.search === window.location.search })
    })
    .catch(() => say({ op: "found", text: "", table: "", dark: preference.matches, same: true }))
}
