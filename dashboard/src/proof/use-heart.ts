/** A heart requested while its scene is being drawn is set once the scene is shown. */
import { useCallback, useEffect, useState } from 'react'
import { type ShownScenes, useNotShown } from './shown-scenes.ts'

type HeartOfScene = { isShown: boolean; toggle: () => void }

export function useHeart(shown: ShownScenes, id: string, onHeart: (id: string) => void): HeartOfScene {
  const isShown = useNotShown(shown, [id]) === 0
  const [isAskedFor, setAskedFor] = useState(false)
  useEffect(() => {
    if (!isShown || !isAskedFor) return
    setAskedFor(false)
    onHeart(id)
  }, [isShown, isAskedFor, id, onHeart])
  return { isShown, toggle: useCallback(() => setAskedFor(isOn => !isOn), []) }
}
