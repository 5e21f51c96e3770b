import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus near a control that goes away, moves or is disabled by its own action: on the same button
 * where it still works, else on the first of its fieldset, else on the last of its section. `draft` is what
 * such actions change.
 */
export function useRetainedFocus(draft: unknown): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null)
  const last = useRef<HTMLElement | null>(null)
  const parents = useRef<Element[]>([])
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement || target instanceof SVGElement)) return
      const places = [target.closest('fieldset'), target.closest('section')].filter(place => place !== null)
      const isInside = container.current?.contains(target) === true
      // On the picture: the panel that led there is where to come back to.
      if (isInside && places.length === 0) return
      last.current = isInside && target instanceof HTMLElement ? target : null
      parents.current = isInside ? places : []
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks at the page after each change of the draft
  useEffect(() => {
    const { activeElement } = document
    const isLost = activeElement === null || activeElement === document.body || activeElement.matches(':disabled')
    const target = last.current
    if (!isLost || target === null) return
    if (target.isConnected && !target.matches(':disabled')) {
      target.focus()
      return
    }
    const [fieldset, section] = parents.current.filter(({ isConnected }) => isConnected)
    const buttons = [...((fieldset ?? section)?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])]
    ;(fieldset instanceof HTMLFieldSetElement ? buttons[0] : buttons.at(-1))?.focus()
  }, [draft])
  return container
}
