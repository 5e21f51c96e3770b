/** A mockup rendered in the browser: no credit, no upload. */
import { useEffect, useRef, useState } from 'react'
import type { PreviewAnswer, PreviewRequest } from './preview-messages.ts'

export type Preview =
  | { state: 'idle' }
  | { state: 'rendering' }
  | { state: 'done'; picture: ImageData; durationMs: number }
  | { state: 'failed'; message: string }

/** Renders whenever the input changes; the newest input wins. Null: nothing to render. */
export function usePreview(input: Omit<PreviewRequest, 'id'> | null): Preview {
  const [preview, setPreview] = useState<Preview>({ state: 'idle' })
  const worker = useRef<Worker | null>(null)
  const newest = useRef(0)
  useEffect(() => {
    const created = new Worker(new URL('./preview-worker.ts', import.meta.url), { type: 'module' })
    created.onmessage = ({ data }: MessageEvent<PreviewAnswer>) => {
      if (data.id !== newest.current) return
      setPreview(
        data.kind === 'picture'
          ? { state: 'done', picture: data.picture, durationMs: data.durationMs }
          : { state: 'failed', message: data.message },
      )
    }
    worker.current = created
    return () => created.terminate()
  }, [])
  useEffect(() => {
    const id = ++newest.current
    if (input === null) {
      setPreview({ state: 'idle' })
      return
    }
    setPreview({ state: 'rendering' })
    worker.current?.postMessage({ ...input, id } satisfies PreviewRequest)
  }, [input])
  return preview
}
