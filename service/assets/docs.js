// Names and states that the library of /docs leaves out: without them its open parts cannot be used by ear.
{
  /** What is wrong, and what makes it right. */
  const repairs = [
    [
      '[role=combobox]:not([aria-expanded])',
      element => {
        const list = document.getElementById(element.getAttribute('aria-controls') ?? '')
        element.setAttribute('aria-expanded', String(list !== null))
      },
    ],
    ['input[role=combobox]:not([aria-label], [aria-labelledby])', name('Search')],
    ['[role=textbox]:not([aria-label], [aria-labelledby])', name('Body of the request')],
    ['[role=listbox] > div[aria-labelledby]:not([role])', element => element.setAttribute('role', 'group')],
    ['button[role=none]', element => element.removeAttribute('role')],
    [
      '[data-headlessui-focus-guard][aria-hidden]',
      element => {
        element.removeAttribute('aria-hidden')
        element.setAttribute('aria-label', 'End of the list')
      },
    ],
    ['button[class*=copy-button]:not([aria-label])', name('Copy')],
    ['.custom-scroll:not([tabindex])', element => element.setAttribute('tabindex', '0')],
  ]

  function name(label) {
    return element => element.setAttribute('aria-label', label)
  }

  const repair = () => {
    for (const [selector, mend] of repairs) document.querySelectorAll(selector).forEach(mend)
  }

  let isWaiting = false
  new MutationObserver(() => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      repair()
    })
  }).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['role', 'aria-hidden', 'aria-controls'],
  })
  repair()
}
