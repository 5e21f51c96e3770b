/** A mockup rendered in the browser: no credit, no upload. */
import { useEffect, useRef, useState } from 'react'
import type { PreviewAnswer, PreviewRequest } from './preview-messages.ts'

export type Preview =
  | { state: 'idle' }
  | { state: 'rendering' }
  | { state: 'done'; picture: ImageData; durationMs: number }
  | { state: 'failed'; message: string }

type PreviewInput = Omit<PreviewRequest, 'id'>

/**
 * Renders when the input changes. The newest input wins; the last picture is shown until then. An input
 * without artworks only prepares the template; null does nothing.
 */
export function usePreview(input: PreviewInput | null): Preview {
  const [preview, setPreview] = useState<Preview>({ state: 'idle' })
  const worker = useRef<Worker | null>(null)
  const newest = useRef(0)
  useEffect(() => {
    const created = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' })
    created.onmessage = ({ data }: MessageEvent<PreviewAnswer>) => {
      if (data.id === newest.current) setPreview(previewOf(data))
    }
    created.onerror = () =>
      setPreview({ state: 'failed', message: 'The preview could not start in this browser: reload the page.' })
    worker.current = created
    return () => created.terminate()
  }, [])
  useEffect(() => {
    const id = ++newest.current
    if (input === null) {
      setPreview({ state: 'idle' })
      return
    }
    if (input.artworks.length > 0) setPreview({ state: 'rendering' })
    worker.current?.postMessage({ ...input, id } satisfies PreviewRequest)
  }, [input])
  return preview
}

function previewOf(answer: PreviewAnswer): Preview {
  switch (answer.kind) {
    case 'picture':
      return { state: 'done', picture: answer.picture, durationMs: answer.durationMs }
    case 'ready':
      return { state: 'idle' }
    case 'failure':
      return { state: 'failed', message: answer.message }
  }
}
