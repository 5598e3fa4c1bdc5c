// A heading whose button opens and closes what stands below it.
const STYLE = `
:host { width: 100%; }
h2, h3 { font-weight: 500; margin: 0; color: inherit; }
h2 { font-size: 16px; } h3 { font-size: 14px; }
button { font: inherit; color: inherit; background: none; border: 0; cursor: pointer;
  width: 100%; min-height: 44px; padding: 4px 10px; text-align: left; display: flex;
  gap: 0.6em; align-items: center; }
button::before { content: ""; flex: none; width: 0.45em; height: 0.45em;
  border: solid currentColor; border-width: 0 2px 2px 0; transform: rotate(-45deg); }
button[aria-expanded="true"]::before { transform: translateY(-25%) rotate(45deg); }
button:focus-visible { outline: 2px solid var(--mui-palette-text-primary, currentColor); outline-offset: -2px; }
`

export function render({ model }) {
  const style = document.createElement("style")
  style.textContent = STYLE
  const heading = document.createElement(`h${model.level}`)
  const button = document.createElement("button")
  button.type = "button"
  button.textContent = model.title
  button.dataset.holds = JSON.stringify(model.holds)
  button.addEventListener("click", () => { model.is_open = !model.is_open })
  const root = document.createElement("div")
  heading.append(button)
  root.append(style, heading)
  const show = () => button.setAttribute("aria-expanded", String(model.is_open))
  model.on("is_open", show)
  show()
  return root
}
