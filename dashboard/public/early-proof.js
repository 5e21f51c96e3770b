// Asks for what a link shows before the page's scripts are there, and shows its first picture as it was sent.
{
  const link = location.pathname.replace(/\/$/, '')
  const still = new Image()
  still.className = 'early-still'
  still.alt = ''
  still.onerror = () => still.remove()
  still.src = `${link}/stills/0`
  globalThis.earlyProof = fetch(`${link}/proof`, { credentials: 'omit' })
  // Who takes the answer learns of it.
  globalThis.earlyProof.catch(() => undefined)
  const show = () => {
    const root = document.getElementById('root')
    if (root === null) requestAnimationFrame(show)
    else if (root.childElementCount === 0) root.append(still)
  }
  show()
}
