// Keeps files that are dropped before the page's scripts are there: a browser opens them in its place.
{
  const files = []
  const controller = new AbortController()
  const listen = (type, take) =>
    addEventListener(
      type,
      event => {
        if (!event.dataTransfer?.types.includes('Files')) return
        event.preventDefault()
        take(event.dataTransfer.files)
      },
      { signal: controller.signal },
    )
  listen('dragover', () => undefined)
  listen('drop', dropped => files.push(...dropped))
  /** Ends the listening; what was dropped so far. */
  globalThis.takeEarlyDrops = () => {
    controller.abort()
    return files.splice(0)
  }
}
