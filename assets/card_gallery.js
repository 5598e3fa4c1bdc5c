// A question and cards that answer it: each a button with a title and the story's last
// sentence; all of it is told where a card is hovered or focused. They are a row
// that is scrolled sideways where the window is narrow. Text is set as text.
const STYLE = `
h2 { font: 500 16px Roboto, Arial, sans-serif; margin: 2px 0 6px; color: var(--text); }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(145px, 1fr));
  gap: 8px; }
button { font: 13px/1.35 Roboto, Arial, sans-serif; color: var(--text); text-align: left;
  background: var(--background); border: 1px solid var(--grid); border-radius: 6px;
  padding: 6px 10px; cursor: pointer; display: flex; flex-direction: column; gap: 2px; }
button:hover { border-color: var(--lit); }
button:focus-visible { outline: 2px solid var(--lit); outline-offset: 1px; }
button[aria-pressed="true"] { border-color: var(--lit); box-shadow: inset 3px 0 var(--lit); }
.title { font-weight: 600; font-size: 14px; }
@media (max-width: 700px) {
  .cards { display: flex; overflow-x: auto; padding: 3px; }
  button { flex: 0 0 210px; }
}
`

export function render({ model }) {
  const root = document.createElement("section")
  const style = document.createElement("style")
  style.textContent = STYLE
  const heading = document.createElement("h2")
  heading.id = "question"
  const cards = document.createElement("div")
  cards.className = "cards"
  cards.setAttribute("role", "group")
  cards.setAttribute("aria-labelledby", "question")
  root.append(style, heading, cards)

  function colour() {
    for (const [name, value] of Object.entries(model.colours))
      root.style.setProperty(`--${name}`, value)
  }

  function part(tag, text, name) {
    const element = document.createElement(tag)
    element.className = name
    element.textContent = text
    return element
  }

  function fill() {
    heading.textContent = model.question
    cards.replaceChildren(...model.cards.map(([name, title, story]) => {
      const button = document.createElement("button")
      button.type = "button"
      button.dataset.name = name
      // The pictures below need the room: the card shows how the story ends.
      const ending = story.slice(story.lastIndexOf(". ") + 2)
      button.title = story
      button.setAttribute("aria-description", story)
      button.append(part("span", title, "title"), part("span", ending, "story"))
      button.addEventListener("click", () => model.send_msg({ open: name }))
      return button
    }))
    mark()
  }

  function mark() {
    for (const button of cards.children)
      button.setAttribute("aria-pressed", String(button.dataset.name === model.picked))
  }

  model.on("cards", fill)
  model.on("question", fill)
  model.on("picked", mark)
  model.on("colours", colour)
  colour()
  fill()
  return root
}
