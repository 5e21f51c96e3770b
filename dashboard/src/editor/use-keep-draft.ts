import { useEffect, useRef, useState } from 'react'
import type { History } from '../history.ts'
import { saveDraft } from './draft-store.ts'

/** A draft is written after this pause, not for each step of a gesture: a write holds the photo. */
const REST_MS = 200

/**
 * Stores the draft and its undo steps in the browser while it changes, and when the page is left. Returns a
 * sentence about that, empty for an unchanged template, which is not stored.
 */
export function useKeepDraft<Kept extends { readonly isNew: boolean }>(
  storeKey: string,
  history: History<Kept>,
  initial: History<Kept>,
): string {
  const unsaved = useRef<History<Kept> | null>(null)
  const [ended, setEnded] = useState<{ history: History<Kept>; kept: boolean } | null>(null)
  const isUntouched = history === initial && !history.present.isNew
  useEffect(() => {
    if (isUntouched) return
    unsaved.current = history
    const flush = () => {
      if (unsaved.current === null) return
      const written = unsaved.current
      unsaved.current = null
      saveDraft(storeKey, written).then(
        () => setEnded({ history: written, kept: true }),
        () => setEnded({ history: written, kept: false }),
      )
    }
    const timer = setTimeout(flush, REST_MS)
    addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', flush)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', flush)
    }
  }, [storeKey, history, isUntouched])
  if (isUntouched) return ''
  if (ended?.kept === false) return 'This browser cannot store drafts: save before you leave.'
  return ended?.history === history ? 'Draft saved in this browser.' : 'Saving the draft…'
}
