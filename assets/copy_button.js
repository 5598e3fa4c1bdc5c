// A button that copies a text, and says whether it did.
export function render({ model, el }) {
  const button = document.createElement("button")
  const said = document.createElement("span")
  button.type = "button"
  button.textContent = model.label
  button.style.cssText = "font: inherit; color: inherit; background: none; cursor: pointer;"
    + "border: 1px solid currentColor; border-radius: 4px; padding: 4px 12px"
  said.setAttribute("role", "status")
  said.style.marginLeft = "8px"
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(model.text)
      said.textContent = "Copied."
    } catch {
      said.textContent = "The browser did not allow it; mark the text and copy it."
    }
  })
  model.on("text", () => { said.textContent = "" })
  el.append(button, said)
}
