/** What a shop does with the element: it reads the value, and sends picture and value with the order. */
const cart = document.querySelector('#cart')
const order = document.querySelector('#order')
const problem = document.querySelector('#problem')

cart.addEventListener('vitrine-change', ({ detail }) => {
  order.textContent = JSON.stringify(detail, null, 2)
  problem.textContent = ''
})

cart.addEventListener('vitrine-error', ({ detail: { code, message } }) => {
  // Without a preview the product's own picture stays.
  if (!code.startsWith('ARTWORK_')) problem.textContent = `There is no preview now (${code}): ${message}`
})

cart.addEventListener('submit', event => {
  // A shop lets the form go: it has the value and the file. Its server makes the mockup with its secret key.
  event.preventDefault()
  problem.textContent = `Ordered: ${JSON.stringify(cart.querySelector('vitrine-mockup').value)}`
})
