// Panel makes an entry of the browser's history of each address, those of a moved slider
// too. Here a page of the app is one, and Back and Forward turn the page.
const PATIENCE = 5000 // ms that a page which was gone back to is waited for

export function render({ model }) {
  if (!model.skips) return // what stands in a notebook has no address
  const { pushState } = history
  const pageOf = address =>
    new URL(address, location.href).searchParams.get("page") ?? model.first
  let awaited = null, until = 0
  history.pushState = (state, title, url) => {
    const page = pageOf(url)
    const isOld = awaited && awaited !== page && Date.now() < until
    if (isOld) return // of a page that was gone back from meanwhile
    // A kept session may open another page than the address says nothing of.
    const isOpening = navigator.userActivation?.hasBeenActive === false
    const isSame = isOpening || awaited === page || pageOf(location.href) === page
    awaited = null
    const put = isSame ? history.replaceState : pushState
    put.call(history, state, title, url)
  }
  const turn = () => {
    awaited = pageOf(location.href)
    until = Date.now() + PATIENCE
    model.send_msg({ page: awaited })
  }
  addEventListener("popstate", turn)
  model.on("remove", () => {
    history.pushState = pushState
    removeEventListener("popstate", turn)
  })
}
