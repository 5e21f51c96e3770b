import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

const NAME = 'Vitrine'

/** Whether the page has focused something specific, or shows a dialog. */
function hasFocusOfItsOwn(): boolean {
  const focused = document.activeElement
  return focused !== null && focused.id !== 'content' && focused.closest('main, dialog') !== null
}

function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading === null || hasFocusOfItsOwn()) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** Focuses the page's heading when the page shows its next step without another address; null: it loads. */
export function useStepFocus(step: string | null): void {
  const shown = useRef<string | null>(null)
  useEffect(() => {
    if (shown.current !== null && shown.current !== step) focusHeading()
    shown.current = step
  }, [step])
}

/** Sets the document's title from the page's heading, and focuses it when another page is opened. */
export function usePageTitle(): void {
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const titledPath = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (path === undefined) return
    let isFocusDue = titledPath.current !== undefined && titledPath.current !== path
    titledPath.current = path
    // The heading appears with the page's code and data, and may change.
    const follow = () => {
      const heading = document.querySelector<HTMLElement>('main h1')
      const text = heading?.textContent ?? ''
      const title = text === '' ? NAME : `${text} · ${NAME}`
      if (document.title !== title) document.title = title
      if (heading === null || !isFocusDue) return
      isFocusDue = false
      focusHeading()
    }
    const observer = new MutationObserver(follow)
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    follow()
    return () => observer.disconnect()
  }, [path])
}
