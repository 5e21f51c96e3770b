/**
 * One stop of the Tab key for a list (a roving tabindex, as WAI-ARIA's practices have it): the item that had
 * the focus last, else the first. Other keys walk from item to item.
 */
import { useState } from 'react'

/** Of what an item has to focus: -1 where the item is not the stop. */
export type TabIndex = 0 | -1

export type TabStop = {
  readonly tabIndexOf: (id: string) => TabIndex
  /** For the focus of anything in an item. */
  readonly onFocus: (id: string) => void
}

export function useTabStop(items: readonly { readonly id: string }[]): TabStop {
  const [focused, setFocused] = useState<string | null>(null)
  const stop = items.find(({ id }) => id === focused) ?? items[0]
  return { tabIndexOf: id => (id === stop?.id ? 0 : -1), onFocus: setFocused }
}
