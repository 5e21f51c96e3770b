/** One scene, enlarged: first its tile, then a finer preview, then the exact pixels of the mockup. */
import { Link } from '@tanstack/react-router'
import type { DashboardTemplate, Placement } from '@vitrine/contract'
import { type Dispatch, useEffect, useMemo, useRef, useState } from 'react'
import { ColorSwatches } from '../coloring/color-swatches.tsx'
import type { ProductColors } from '../coloring/product-colors.ts'
import { Button, Check } from '../components/controls.tsx'
import { PictureCanvas } from '../components/picture-canvas.tsx'
import { PointerWords } from '../components/pointer-words.tsx'
import { TemplatePicture } from '../components/template-picture.tsx'
import { formatFrames } from '../format.ts'
import { usePreview } from '../preview/use-preview.ts'
import { RestingLines } from '../scenes/live-tile.tsx'
import type { ArtworkSize } from '../scenes/scene-facts.ts'
import { useScene } from '../scenes/use-scene.ts'
import { useScenePointer } from '../scenes/use-scene-pointer.ts'
import { type GalleryPlacingAction, keyChangeOnGallery } from '../visit/gallery-placing.ts'
import { Compared, type Comparison, ComparisonChoice } from './comparison.tsx'

/** The most common width of mockups. Templates that may not be downloaded have only smaller previews. */
const EXACT_WIDTH_PX = 2000
const REDUCED_WIDTH_PX = 1000

/** How long the placement must rest before the exact pixels are rendered. */
const REST_MS = 400

type CloseLookProps = {
  template: DashboardTemplate
  artwork: File
  /** The other chosen artworks; the first is shown while B is held. */
  others: readonly File[]
  size: ArtworkSize | null
  placement: Placement
  colors: ProductColors
  onColors: (colors: ProductColors) => void
  dispatch: Dispatch<GalleryPlacingAction>
  isPicked: boolean
  onPick: () => void
  onStep: (by: -1 | 1) => void
  onClose: () => void
}

export function CloseLook(props: CloseLookProps) {
  const { template, artwork, others, size, placement, colors, onColors, dispatch, isPicked, onPick, onStep, onClose } =
    props
  const dialog = useRef<HTMLDialogElement>(null)
  const [other = null] = others
  const [isOther, setOther] = useState(false)
  const [comparison, setComparison] = useState<Comparison | null>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const placed = size === null ? null : { ...size, aspectRatio: template.frames[0]?.aspect_ratio ?? 1 }
  const change = (key: string) => {
    const changed =
      placed === null ? null : keyChangeOnGallery(placement, placed, { key, shiftKey: true, altKey: false })
    if (changed === null) return false
    dispatch({ kind: 'place', template, change: { ...placement, ...changed }, isOwn: false })
    dispatch({ kind: 'rest' })
    return true
  }
  return (
    <dialog
      ref={dialog}
      className="look"
      aria-label={template.name ?? template.id}
      onClose={onClose}
      onKeyDown={event => {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return
        if (event.key.toLowerCase() === 'b') return setOther(true)
        const isStep = (event.key === 'ArrowLeft' || event.key === 'ArrowRight') && !event.shiftKey
        if (isStep) onStep(event.key === 'ArrowLeft' ? -1 : 1)
        if (isStep || change(event.key)) event.preventDefault()
      }}
      onKeyUp={event => event.key.toLowerCase() === 'b' && setOther(false)}
    >
      <div className="look-body">
        <LargeScene
          key={template.id}
          template={template}
          artwork={isOther && other !== null ? other : artwork}
          placed={placed}
          placement={placement}
          colors={colors}
          dispatch={dispatch}
          comparison={comparison}
        />
        <div className="stack-form look-side">
          <h2>{template.name}</h2>
          {template.frame_count > 1 && <p className="quiet">{formatFrames(template.frame_count)}</p>}
          <div className="row">
            <Button onClick={() => onStep(-1)} aria-label="Previous scene">
              ←
            </Button>
            <Button onClick={() => onStep(1)} aria-label="Next scene">
              →
            </Button>
            <Check checked={isPicked} onChecked={onPick}>
              Pick it
            </Check>
          </div>
          <div className="row">
            <Button onClick={() => change('f')}>Fit</Button>
            <Button onClick={() => change('c')}>Fill</Button>
            <Button onClick={() => change('r')}>Turn</Button>
          </div>
          <div className="row">
            <Button onClick={() => change('+')} aria-label="Larger">
              +
            </Button>
            <Button onClick={() => change('-')} aria-label="Smaller">
              −
            </Button>
            <Button onClick={() => dispatch({ kind: 'reset', template })}>Reset</Button>
          </div>
          <ColorSwatches areas={template.colors} colors={colors} onChange={onColors} />
          <ComparisonChoice others={others} comparison={comparison} onChange={setComparison} />
          <p className="quiet">
            <PointerWords
              fine={`Drag the artwork; Shift and arrows move it by a hundredth, + and − scale, F fits, C fills, R turns.${
                other === null ? '' : ` Hold B to see “${other.name}”.`
              }`}
              coarse="Move the artwork with one finger; scale and turn it with two."
            />
          </p>
          <div className="row">
            <Link className="button button-quiet" to="/templates/$id" params={{ id: template.id }}>
              Open the template
            </Link>
            <Button onClick={() => dialog.current?.close()}>Close</Button>
          </div>
        </div>
      </div>
    </dialog>
  )
}

type LargeSceneProps = Pick<CloseLookProps, 'template' | 'artwork' | 'placement' | 'colors' | 'dispatch'> & {
  placed: { readonly width: number; readonly height: number; readonly aspectRatio: number } | null
  comparison: Comparison | null
}

function LargeScene({ template, artwork, placed, placement, colors, dispatch, comparison }: LargeSceneProps) {
  const { canvas, place, state } = useScene({ pack: template.packs.at(-1), artwork, placement, colors })
  const surface = useRef<HTMLButtonElement>(null)
  const [plane] = state.kind === 'shown' ? state.shown.planes : []
  const isMoved = useScenePointer({ surface, template, placement, plane, placed, isTouchable: true, dispatch })
  const exact = useExact(template, artwork, placement, colors)
  return (
    <div ref={place} className="look-scene">
      <button ref={surface} type="button" className="tile-picture look-picture" aria-label="The artwork">
        <TemplatePicture template={template} alt={template.name ?? template.id} />
        <canvas ref={canvas} className="tile-canvas" hidden={state.kind !== 'shown'} aria-hidden="true" />
        {exact !== null && !isMoved && (
          <span className="look-exact">
            <PictureCanvas picture={exact} label={`${template.name} with your artwork`} />
          </span>
        )}
        {comparison !== null && (
          <Compared comparison={comparison} template={template} placement={placement} colors={colors} />
        )}
        {isMoved && plane !== undefined && <RestingLines plane={plane} placement={placement} />}
      </button>
      <p className="quiet" role="status">
        {state.kind === 'failed' ? state.message : ''}
        {exact !== null && exact.width >= EXACT_WIDTH_PX && 'These are exactly the pixels of the rendered mockup.'}
        {exact !== null && exact.width < EXACT_WIDTH_PX && 'A preview: the mockup itself has more detail.'}
      </p>
    </div>
  )
}

/** The exact picture of the placement at rest; null until it is rendered. */
function useExact(
  template: DashboardTemplate,
  artwork: File,
  placement: Placement,
  colors: ProductColors,
): ImageData | null {
  const [bytes, setBytes] = useState<{ of: File; bytes: Uint8Array } | null>(null)
  const [rested, setRested] = useState(placement)
  useEffect(() => {
    let current = true
    artwork.arrayBuffer().then(
      buffer => current && setBytes({ of: artwork, bytes: new Uint8Array(buffer) }),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [artwork])
  useEffect(() => {
    const timer = setTimeout(() => setRested(placement), REST_MS)
    return () => clearTimeout(timer)
  }, [placement])
  const input = useMemo(
    () =>
      bytes === null || bytes.of !== artwork
        ? null
        : {
            source: { kind: 'served' as const, folder: template.preview_path },
            widthPx: template.downloadable ? EXACT_WIDTH_PX : REDUCED_WIDTH_PX,
            artworks: [bytes.bytes],
            placements: template.frames.map(() => rested),
            colors,
          },
    [bytes, artwork, template, rested, colors],
  )
  const preview = usePreview(input)
  return preview.state === 'done' && preview.input === input && rested === placement ? preview.picture : null
}
