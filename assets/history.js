// Panel makes an entry of the browser's history of each address, those of a moved slider
// too. Here a page of the app is one, and Back and Forward turn the page.
const PATIENCE = 5000 // ms in which the server may still tell of a page that was left

export function render({ model }) {
  if (!model.served) return // what stands in a notebook has no address
  const { pushState } = history
  const pageOf = address =>
    new URL(address, location.href).searchParams.get("page") ?? model.first
  const left = new Map() // Pages that were gone back from, and when
  let current = null
  history.pushState = (state, title, url) => {
    const page = pageOf(url)
    if (Date.now() - (left.get(page) ?? 0) < PATIENCE) return
    left.clear()
    current ??= pageOf(location.href)
    // A kept session may open another page, of which the address said nothing.
    const isOpening = navigator.userActivation?.hasBeenActive === false
    const put = isOpening || page === current ? history.replaceState : pushState
    put.call(history, state, title, url)
    current = page
  }
  const turn = () => {
    left.set(current, Date.now())
    current = pageOf(location.href)
    left.delete(current)
    model.send_msg({ page: current })
  }
  const asks = event =>
    event.composedPath().some(one => one.classList?.contains("turns-page"))
  const ask = event => asks(event) && left.clear()
  addEventListener("popstate", turn)
  addEventListener("click", ask, true)
  model.on("remove", () => {
    history.pushState = pushState
    removeEventListener("popstate", turn)
    removeEventListener("click", ask, true)
  })
}
