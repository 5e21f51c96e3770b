/** A template's picture with artwork in it: files are dropped on it, and artwork is placed. */
import type { DashboardTemplate } from '@vitrine/contract'
import { type Dispatch, type DragEvent, useEffect, useMemo, useState } from 'react'
import { hasColors, type ProductColors } from '../coloring/product-colors.ts'
import { announceUnseen } from '../components/announcer.tsx'
import { isPicture } from '../components/file-drops.tsx'
import { PictureCanvas } from '../components/picture-canvas.tsx'
import { Outlines } from '../components/template-picture.tsx'
import { PlacingStage } from '../placing/placing-stage.tsx'
import type { PlacingAction, PlacingState } from '../placing/placing-state.ts'
import type { PreviewRequest } from '../preview/preview-messages.ts'
import { useLivePreview } from '../preview/use-live-preview.ts'
import { type Preview, usePreview } from '../preview/use-preview.ts'
import { ArtworkPicture } from '../scenes/artwork-picture.tsx'
import { placementOf } from '../visit/placing.ts'

const PREVIEW_WIDTH_PX = 1000

const noColors: ProductColors = {}

/** The frame that contains a point, in shares of the picture; of several, the one drawn last. */
function frameAt(look: DashboardTemplate['look'], [x, y]: readonly [number, number]): number | null {
  const frame = (look?.outlines ?? []).findLastIndex(outline => {
    let isInside = false
    for (const [index, [x1, y1]] of outline.entries()) {
      const [x2, y2] = outline.at(index - 1) ?? [x1, y1]
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside
    }
    return isInside
  })
  return frame < 0 ? null : frame
}

function frameUnder(look: DashboardTemplate['look'], event: DragEvent): number | null {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
  return frameAt(look, [(event.clientX - left) / width, (event.clientY - top) / height])
}

/** The requested preview, what is shown now, and the last exact picture. */
export type TryPreview = {
  readonly input: PreviewRequest
  readonly preview: Preview
  readonly done: Extract<Preview, { state: 'done' }> | null
}

/** Whether a picture shows artworks, or only the template's colors. */
export const hasArtworks = ({ input }: NonNullable<TryPreview['done']>): boolean => input.artworks.length > 0

/** The exact picture of artworks at rest, in colors. `artworks`: one per frame, or none. */
export function useTryPreview(
  { preview_path: folder }: DashboardTemplate,
  artworks: readonly Uint8Array[],
  { rested }: PlacingState,
  colors: ProductColors,
): TryPreview {
  const input = useMemo(
    () => ({
      source: { kind: 'served' as const, folder },
      widthPx: PREVIEW_WIDTH_PX,
      artworks,
      placements: rested.frames,
      colors,
    }),
    [artworks, folder, rested.frames, colors],
  )
  const preview = usePreview(input)
  const [done, setDone] = useState<TryPreview['done']>(null)
  const [announced, setAnnounced] = useState<Pick<PreviewRequest, 'artworks' | 'colors'> | null>(null)
  useEffect(() => {
    // Idle again: no artworks and the default colors.
    if (preview.state === 'failed' || preview.state === 'idle') setDone(null)
    if (preview.state === 'done') setDone(preview)
  }, [preview])
  // Once for each choice of artworks or colors. Placing announces its own values.
  useEffect(() => {
    if (done === null || (done.input.artworks === announced?.artworks && done.input.colors === announced.colors)) return
    setAnnounced(done.input)
    announceUnseen('The preview shows what you chose.')
  }, [done, announced])
  return { input, preview, done }
}

type TryPictureProps = {
  template: DashboardTemplate
  tried: TryPreview
  /** The artwork if every frame has the same: shown until the exact picture is rendered. */
  artwork: File | null
  placing: PlacingState
  dispatch: Dispatch<PlacingAction>
  /** Called with files that were dropped on a frame. */
  onFiles: (files: readonly File[], fromFrame: number) => void
}

export function TryPicture({ template, tried, artwork, placing, dispatch, onFiles }: TryPictureProps) {
  const [target, setTarget] = useState<number | null>(null)
  const [isReached, setIsReached] = useState(false)
  const { input, preview, done } = tried
  const several = template.frame_count > 1
  const isExact = done?.input === input && !placing.isMoving
  const isNew = done?.input.artworks !== input.artworks || done.input.colors !== input.colors
  const isAsked = input.artworks.length > 0 || hasColors(input.colors ?? {})
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons beside it do the same as dropping
    <div
      className={target === null ? 'try-picture' : 'try-picture try-picture-over'}
      aria-busy={isAsked && preview.state !== 'failed' && !isExact}
      onPointerEnter={() => setIsReached(true)}
      onFocus={() => setIsReached(true)}
      onDragOver={event => several && setTarget(frameUnder(template.look, event))}
      onDragLeave={() => setTarget(null)}
      onDrop={event => {
        setTarget(null)
        const files = [...event.dataTransfer.files]
        const frame = several ? frameUnder(template.look, event) : null
        if (frame === null || !files.every(isPicture)) return
        event.preventDefault()
        onFiles(files, frame)
      }}
    >
      {done === null ? (
        <ArtworkPicture
          template={template}
          artwork={artwork}
          placement={placementOf(placing.history.present, 0)}
          colors={input.colors ?? noColors}
          alt={template.name ?? template.id}
          numbered
        />
      ) : (
        <>
          <PictureCanvas
            picture={done.picture}
            label={`${template.name} ${hasArtworks(done) ? 'with your artwork' : 'in your colour'}`}
          />
          <LivePicture input={input} isExact={isExact} isExpected={isReached} placing={placing} />
          {hasArtworks(done) && (
            <PlacingStage
              template={template}
              picture={done.picture}
              shown={done.shown}
              state={placing}
              dispatch={dispatch}
            />
          )}
        </>
      )}
      {target !== null && template.look !== null && <Outlines look={template.look} numbered target={target} />}
      {preview.state === 'rendering' && isNew && (
        <p className="badge" role="status">
          Rendering…
        </p>
      )}
    </div>
  )
}

type LivePictureProps = Pick<TryPreview, 'input'> & { isExact: boolean; isExpected: boolean; placing: PlacingState }

/** Covers the exact picture while artwork moves, until the next exact one is rendered. */
function LivePicture({ input, isExact, isExpected, placing }: LivePictureProps) {
  const { source, artworks, colors = noColors } = input
  const { canvas, isShown } = useLivePreview({
    folder: source.kind === 'served' ? source.folder : '',
    artworks,
    placements: placing.history.present.frames,
    colors,
    isExact,
    isExpected,
  })
  return <canvas ref={canvas} className="live-picture" hidden={!isShown} aria-hidden="true" />
}
