import { useEffect, useRef, useState } from 'react'
import type { History } from './draft.ts'
import { saveDraft } from './draft-store.ts'

/** So long a rest ends a gesture: each write holds the photo. */
const restMs = 200

/**
 * Keeps the draft, with what can be undone, in the browser while it changes, and once more when the page is left. Returns how that stands,
 * in a sentence; a template that is opened and not changed is not kept, and nothing is said of it.
 */
export function useKeepDraft(storeKey: string, history: History, initial: History): string {
  const unsaved = useRef<History | null>(null)
  const [ended, setEnded] = useState<{ history: History; kept: boolean } | null>(null)
  const isUntouched = history === initial && history.present.templateId !== null
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
    const timer = setTimeout(flush, restMs)
    addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', flush)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', flush)
    }
  }, [storeKey, history, isUntouched])
  if (isUntouched) return ''
  if (ended?.kept === false) return 'This browser keeps no draft: save before you leave.'
  return ended?.history === history ? 'Draft kept in this browser.' : 'Keeping the draft…'
}
