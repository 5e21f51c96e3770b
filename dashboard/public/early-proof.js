// Asks for what a link shows before the page's scripts are there, and shows its first picture as it was sent.
{
  const link = location.pathname.replace(/\/$/, '')
  globalThis.earlyProof = fetch(`${link}/wall`, { credentials: 'omit' })
  // Who takes the answer learns of it.
  globalThis.earlyProof.catch(() => undefined)
  const still = new Image()
  still.className = 'early-still'
  still.alt = ''
  still.onerror = () => still.remove()
  still.src = `${link}/stills/0`
  document.getElementById('root')?.append(still)
}
