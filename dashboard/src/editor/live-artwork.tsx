/** The sample artwork in its frame, warped by the browser's compositor. Only the preview is exact. */
import { type BlendMode, blendModes, isBlendMode, W3C } from '@vitrine/engine'
import { type CSSProperties, useEffect, useState } from 'react'
import { useObjectUrl } from '../use-object-url.ts'
import { type Draft, type DraftFrame, type DraftMask, type Point, ratioOf } from './draft.ts'
import { maskStencil } from './mask-picture.ts'
import { cssTransformToQuad, isConvex } from './quad.ts'

/** Blend modes that CSS knows by the same name and formula: those of the same specification. */
type CssBlendMode = Extract<BlendMode, CSSProperties['mixBlendMode']>
const isOfCss = (mode: string): mode is CssBlendMode => isBlendMode(mode) && blendModes[mode].source === W3C

/** The others are shown as normal while artwork is dragged. */
export const cssBlendMode = (mode: string): CssBlendMode => (isOfCss(mode) ? mode : 'normal')

type LiveArtworkProps = { frame: DraftFrame; draft: Draft; scale: number; sampleUrl: string }

export function LiveArtwork({ frame, draft, scale, sampleUrl }: LiveArtworkProps) {
  const stencil = useStencil(frame.mask, draft.widthPx, draft.heightPx)
  if (frame.corners === null || !isConvex(frame.corners)) return null
  const ratio = ratioOf(frame, draft)
  const [widthPx, heightPx] = [600 * Math.sqrt(ratio), 600 / Math.sqrt(ratio)]
  const [a, b, c, d] = frame.corners.map(([x, y]): Point => [x * scale, y * scale])
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null
  return (
    <div
      className="stage-frame"
      style={{
        opacity: frame.opacity,
        mixBlendMode: cssBlendMode(draft.blendingMode),
        ...(stencil === null ? {} : { maskImage: `url("${stencil}")`, maskSize: '100% 100%' }),
      }}
    >
      <img
        src={sampleUrl}
        alt=""
        draggable={false}
        className="stage-artwork"
        style={{ width: widthPx, height: heightPx, transform: cssTransformToQuad([a, b, c, d], widthPx, heightPx) }}
      />
    </div>
  )
}

/** The address of the mask's picture, which is made again only when the mask changes. */
function useStencil(mask: DraftMask, widthPx: number, heightPx: number): string | null {
  const [picture, setPicture] = useState<Blob | null>(null)
  useEffect(() => {
    let current = true
    maskStencil(mask, { widthPx, heightPx }).then(
      made => {
        if (current) setPicture(made)
      },
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [mask, widthPx, heightPx])
  return useObjectUrl(picture)
}
