import { useEffect } from 'react'

/** Ctrl+Z undoes, Ctrl+Shift+Z or Ctrl+Y redoes, wherever the focus is. */
export function useUndoKeys(dispatch: (action: { kind: 'undo' } | { kind: 'redo' }) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey)) return
      const key = event.key.toLowerCase()
      if (key !== 'z' && key !== 'y') return
      event.preventDefault()
      dispatch({ kind: key === 'y' || event.shiftKey ? 'redo' : 'undo' })
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [dispatch])
}
