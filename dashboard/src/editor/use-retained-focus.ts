import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus near a control that is removed or disabled by its own action: on the same button if it
 * still works, else on the first of its fieldset, else on the last of its section, else on the picture.
 */
export function useRetainedFocus(): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = container.current
    if (element === null) return
    /** The element that has the focus, or lost it when removed; null: a click elsewhere took it. */
    let focused: Element | null = null
    let last: HTMLElement | null = null
    let parents: Element[] = []
    const onPointer = () => {
      focused = null
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement || target instanceof SVGElement)) return
      focused = target
      const places = [target.closest('fieldset'), target.closest('section')].filter(place => place !== null)
      const isInside = element.contains(target)
      // On the picture: the focus returns to the panel that led there.
      if (isInside && places.length === 0) return
      last = isInside && target instanceof HTMLElement ? target : null
      parents = isInside ? places : []
    }
    const restore = () => {
      const { activeElement } = document
      const isNowhere = activeElement === null || activeElement === document.body || activeElement.matches(':disabled')
      if (!isNowhere || focused === null || isUsable(focused)) return
      if (last !== null && isUsable(last)) {
        last.focus()
        return
      }
      const [fieldset, section] = parents.filter(({ isConnected }) => isConnected)
      const buttons = [...((fieldset ?? section)?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])]
      const button = fieldset instanceof HTMLFieldSetElement ? buttons[0] : buttons.at(-1)
      ;(button ?? element.querySelector<SVGElement>('.handle'))?.focus()
    }
    const observer = new MutationObserver(restore)
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('pointerdown', onPointer, true)
    document.addEventListener('focusin', onFocus)
    return () => {
      observer.disconnect()
      document.removeEventListener('pointerdown', onPointer, true)
      document.removeEventListener('focusin', onFocus)
    }
  }, [])
  return container
}

const isUsable = (element: Element): boolean => element.isConnected && !element.matches(':disabled')
