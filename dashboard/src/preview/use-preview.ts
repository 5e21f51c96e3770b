/** A mockup rendered in the browser: no credit, no upload. */
import { WorkerChannel } from '@vitrine/live'
import { useEffect, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
import { hasColors } from '../coloring/product-colors.ts'
import type { PreviewCalls, PreviewPicture, PreviewRequest } from './preview-messages.ts'

export type Preview =
  | { state: 'idle' }
  | { state: 'rendering' }
  | ({ state: 'done'; input: PreviewRequest } & PreviewPicture)
  | { state: 'failed'; message: string }

/**
 * Renders when the input changes; the previous picture stays until then, and only the newest input counts. An
 * input without artworks and colors only prepares the template; null does nothing.
 */
export function usePreview(input: PreviewRequest | null): Preview {
  const [preview, setPreview] = useState<Preview>({ state: 'idle' })
  const channel = useRef<WorkerChannel<PreviewCalls> | null>(null)
  useEffect(() => {
    const worker = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' })
    channel.current = new WorkerChannel(worker, 'The preview could not start in this browser: reload the page.')
    return () => channel.current?.end()
  }, [])
  useEffect(() => {
    if (input === null) {
      setPreview({ state: 'idle' })
      return
    }
    let isNewest = true
    const tell = (now: Preview) => {
      if (isNewest) setPreview(now)
    }
    if (input.artworks.length > 0 || hasColors(input.colors ?? {})) setPreview({ state: 'rendering' })
    channel.current?.askNewest('render', input).then(
      picture => tell(picture ? { state: 'done', input, ...picture } : { state: 'idle' }),
      (error: unknown) => tell({ state: 'failed', message: asError(error).message }),
    )
    return () => {
      isNewest = false
    }
  }, [input])
  return preview
}
