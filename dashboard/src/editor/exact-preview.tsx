/** The draft as the service will render it: the same engine with the files that saving sends. */
import { useEffect, useRef, useState } from 'react'
import { ColorSwatches } from '../coloring/color-swatches.tsx'
import type { ProductColors, SwatchArea } from '../coloring/product-colors.ts'
import { PictureCanvas } from '../components/picture-canvas.tsx'
import { Failure } from '../components/states.tsx'
import type { PreviewRequest } from '../preview/preview-messages.ts'
import { usePreview } from '../preview/use-preview.ts'

const PREVIEW_WIDTH_PX = 1200
/** The pause in typing and dragging before the next picture is started. */
const REST_MS = 250

type ExactPreviewProps = {
  /** The source of the bundle: if it changes, the picture does. */
  draft: object
  bundle: () => Promise<ReadonlyMap<string, Blob>>
  /** The artwork to show in it. */
  artwork: () => Promise<Blob>
  areas: readonly SwatchArea[]
  colors: ProductColors
  onColors: (colors: ProductColors) => void
}

export function ExactPreview({ draft, areas, colors, onColors, ...make }: ExactPreviewProps) {
  const [input, setInput] = useState<PreviewRequest | null>(null)
  const [error, setError] = useState<string | null>(null)
  const newest = useRef(make)
  useEffect(() => {
    newest.current = make
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is made depends on the draft alone
  useEffect(() => {
    let current = true
    const begin = async () => {
      const { bundle, artwork: read } = newest.current
      const files = await bundle()
      const artwork = new Uint8Array(await (await read()).arrayBuffer())
      if (current)
        setInput({ source: { kind: 'draft', files }, widthPx: PREVIEW_WIDTH_PX, artworks: [artwork], colors })
    }
    const timer = setTimeout(() => {
      setError(null)
      begin().catch((failure: unknown) => setError(failure instanceof Error ? failure.message : String(failure)))
    }, REST_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [draft, colors])
  const preview = usePreview(input)
  const [shown, setShown] = useState<ImageData | null>(null)
  useEffect(() => {
    if (preview.state === 'done') setShown(preview.picture)
  }, [preview])
  const fault = error ?? (preview.state === 'failed' ? preview.message : null)
  return (
    <div className="exact">
      {fault !== null && <Failure error={new Error(fault)} />}
      {shown !== null && (
        <PictureCanvas picture={shown} label="The template with the sample artwork, as it will be rendered" />
      )}
      <ColorSwatches areas={areas} colors={colors} onChange={onColors} />
      {fault === null && (shown === null || preview.state !== 'done') && (
        <p className={shown === null ? 'quiet' : 'badge'} role="status">
          Rendering…
        </p>
      )}
    </div>
  )
}
