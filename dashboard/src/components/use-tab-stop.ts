/**
 * A roving tabindex (WAI-ARIA practices): a list has one tab stop, the item that had the focus last, or else
 * the first. Other keys move between items.
 */
import { useState } from 'react'

/** For the focusable element of an item; -1 unless the item is the tab stop. */
export type TabIndex = 0 | -1

export type TabStop = {
  readonly tabIndexOf: (id: string) => TabIndex
  /** Called when anything in an item receives the focus. */
  readonly onFocus: (id: string) => void
}

export function useTabStop(items: readonly { readonly id: string }[]): TabStop {
  const [focused, setFocused] = useState<string | null>(null)
  const stop = items.find(({ id }) => id === focused) ?? items[0]
  return { tabIndexOf: id => (id === stop?.id ? 0 : -1), onFocus: setFocused }
}
