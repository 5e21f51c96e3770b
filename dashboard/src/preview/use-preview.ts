/** A mockup rendered in the browser: no credit, no upload. */
import { useEffect, useRef, useState } from 'react'
import { hasColors } from '../coloring/product-colors.ts'
import type { PreviewAnswer, PreviewRequest, ShownFrames } from './preview-messages.ts'

export type Preview =
  | { state: 'idle' }
  | { state: 'rendering' }
  | { state: 'done'; input: PreviewInput; picture: ImageData; shown: ShownFrames; durationMs: number }
  | { state: 'failed'; message: string }

export type PreviewInput = Omit<PreviewRequest, 'id'>

/**
 * Renders when the input changes. The newest input wins; the last picture is shown until then. An input
 * without artworks and colors only prepares the template; null does nothing.
 */
export function usePreview(input: PreviewInput | null): Preview {
  const [preview, setPreview] = useState<Preview>({ state: 'idle' })
  const worker = useRef<Worker | null>(null)
  const newest = useRef<{ id: number; input: PreviewInput | null }>({ id: 0, input: null })
  useEffect(() => {
    const created = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' })
    created.onmessage = ({ data }: MessageEvent<PreviewAnswer>) => {
      const { id, input } = newest.current
      if (data.id === id && input !== null) setPreview(previewOf(data, input))
    }
    created.onerror = () =>
      setPreview({ state: 'failed', message: 'The preview could not start in this browser: reload the page.' })
    worker.current = created
    return () => created.terminate()
  }, [])
  useEffect(() => {
    const id = newest.current.id + 1
    newest.current = { id, input }
    if (input === null) {
      setPreview({ state: 'idle' })
      return
    }
    if (input.artworks.length > 0 || hasColors(input.colors ?? {})) setPreview({ state: 'rendering' })
    worker.current?.postMessage({ ...input, id } satisfies PreviewRequest)
  }, [input])
  return preview
}

function previewOf(answer: PreviewAnswer, input: PreviewInput): Preview {
  switch (answer.kind) {
    case 'picture':
      return { state: 'done', input, picture: answer.picture, shown: answer.shown, durationMs: answer.durationMs }
    case 'ready':
      return { state: 'idle' }
    case 'failure':
      return { state: 'failed', message: answer.message }
  }
}
