"""What the app has kept in a browser."""

KEPT = """async () => {
  const opened = indexedDB.open("thriftscope", 1)
  await new Promise(done => { opened.onsuccess = done })
  const base = opened.result
  if (!base.objectStoreNames.length) return []
  const all = base.transaction("sessions").objectStore("sessions").getAll()
  await new Promise(done => { all.onsuccess = done })
  return all.result.map(one => one.text)
}"""


def kept(watched, words):
    """Wait until the browser has kept something that holds these words."""
    watched.until(lambda: any(words in text for text in watched.page.evaluate(KEPT)))
