/** The picture of the editor: the photo with the artwork in it, the handles, and the choice of artwork. */
import { MAX_FRAMES } from '@vitrine/photo'
import { useEffect, useRef } from 'react'
import type { ProductColors, SwatchArea } from '../../coloring/product-colors.ts'
import { Button } from '../../components/controls.tsx'
import { FilePicker } from '../../components/file-picker.tsx'
import { PointerWords } from '../../components/pointer-words.tsx'
import { Skeleton } from '../../components/states.tsx'
import { foundHint, ZoomTools } from '../editor-picture.tsx'
import { ExactPreview } from '../exact-preview.tsx'
import { FindTools } from '../find-frames/find-tools.tsx'
import { useFinding } from '../find-frames/use-finding.ts'
import { FoundFrames } from '../found-frames.tsx'
import { HANDLE_RADIUS_PX } from '../stage-frame.tsx'
import { StageView } from '../stage-view.tsx'
import { useStageZoom } from '../use-stage-zoom.ts'
import type { PhotoPicture } from './after-answer.ts'
import { nameOfTarget } from './brush.ts'
import { BrushLayer } from './brush-layer.tsx'
import { BrushTools } from './brush-tools.tsx'
import { gridArtwork } from './grid-artwork.ts'
import { type LensEdge, LensEdgeHandles } from './lens-edge.tsx'
import type { ChangePhoto, PhotoDraft } from './photo-draft.ts'
import { PhotoOutlines, PhotoPictureLayer } from './photo-stage.tsx'
import { flatFrame, isBegunFlat, withFlatFrame } from './start-frames.ts'
import type { Brushing } from './use-brush.ts'
import type { BrushedPicture } from './use-photo-picture.ts'

export type PhotoView = 'edit' | 'before' | 'preview'

const views = [
  { name: 'edit', words: 'Edit' },
  { name: 'before', words: 'Before' },
  { name: 'preview', words: 'Exact preview' },
] as const

const pointHint = {
  fine: 'Drag the points, with Alt a tenth as far, or move the one that has the focus with the arrow keys: a pixel, with Shift ten, with Alt a tenth. Zoom with + and -, with Control and the wheel, or with two fingers.',
  coarse: 'Drag the points. Zoom with two fingers.',
}

const brushHint = {
  fine: 'Brush over it up to some half of the brush from its edge. Alt, or X, takes away; Shift and a click brushes on from the last place; [ and ] change the size; Escape on the cross ends. By keyboard: arrow keys move the cross, Enter brushes, Shift and Enter brushes a line.',
  coarse: 'Brush over it with one finger, up to some half of the brush from its edge. Zoom with two fingers.',
}

type PhotoPictureProps = {
  draft: PhotoDraft
  photo: ImageBitmap | null
  shown: BrushedPicture
  /** Null: nothing is brushed over. */
  brushing: Brushing | null
  /** Null: no straight edge is measured. */
  edge: LensEdge | null
  onEdge: (edge: LensEdge | null) => void
  /** The product that may be dyed, and what it is dyed. */
  areas: readonly SwatchArea[]
  colors: ProductColors
  onColors: (colors: ProductColors) => void
  selected: string | null
  view: PhotoView
  bundle: () => Promise<ReadonlyMap<string, Blob>>
  onView: (view: PhotoView) => void
  onSelect: (id: string) => void
  onChange: ChangePhoto
  onRemove: (id: string) => void
}

export function PhotoPictureView(props: PhotoPictureProps) {
  const { draft, photo, shown, brushing, edge, onEdge, areas, colors, selected, view, bundle } = props
  const { onView, onColors, onSelect, onChange, onRemove } = props
  const stageView = useRef<HTMLDivElement>(null)
  const tools = useRef<HTMLDivElement>(null)
  const zooming = useStageZoom(stageView)
  const isOnStage = view !== 'preview'
  const isBegun = isBegunFlat(draft)
  const finding = useFinding({
    photo: draft.photo,
    isUntouched: isBegun,
    isDrawing: brushing !== null || edge !== null,
    onTake: corners => {
      const frame = flatFrame(corners, draft)
      onChange(before => withFlatFrame(before, frame), frame.id)
      onSelect(frame.id)
      if (draft.frames.length + 1 >= MAX_FRAMES) finding.end()
    },
  })
  const isOffering = finding.found.length > 0
  const target = brushing === null ? null : nameOfTarget(brushing.brush.target)
  // On a phone, the button that starts it is a screen away.
  useEffect(() => {
    if (target === null) return
    stageView.current?.scrollIntoView({ block: 'nearest' })
    // What ends it is there, and counts more if both do not fit.
    tools.current?.scrollIntoView({ block: 'nearest' })
  }, [target])
  return (
    <div className="editor-picture">
      <div ref={tools} className="row editor-tools">
        <div className="row" role="group" aria-label="View">
          {views.map(({ name, words }) => (
            <Button
              key={name}
              className="button-small"
              look={view === name ? 'primary' : 'quiet'}
              aria-pressed={view === name}
              onClick={() => onView(name)}
            >
              {words}
            </Button>
          ))}
        </div>
        {view === 'edit' && brushing === null && (
          <FindTools finding={finding} isOff={draft.frames.length >= MAX_FRAMES} />
        )}
        {brushing === null ? (
          <ArtworkTools draft={draft} onChange={onChange} />
        ) : (
          <BrushTools draft={draft} brushing={brushing} />
        )}
        {isOnStage && <ZoomTools {...zooming.shown} />}
      </div>
      {!isOnStage && (
        <ExactPreview
          draft={draft}
          bundle={bundle}
          artwork={() => artworkOf(draft, shown)}
          {...{ areas, colors, onColors }}
        />
      )}
      {isOnStage && photo === null && <Skeleton rows={1} height={480} />}
      {isOnStage && photo !== null && (
        <StageView
          scene={draft}
          photo={photo}
          view={stageView}
          zooming={zooming}
          isMagnified={view === 'edit' && !isOffering}
        >
          {({ scale, scenePoint, onActive }) =>
            view === 'edit' && (
              <>
                {shown.picture !== null && !(isOffering && isBegun) && <PhotoPictureLayer picture={shown.picture} />}
                {isOffering && (
                  <svg viewBox={`0 0 ${draft.widthPx} ${draft.heightPx}`} role="group" aria-label="Found on the photo">
                    <FoundFrames found={finding.found} onTake={finding.take} />
                  </svg>
                )}
                {edge !== null && (
                  <LensEdgeHandles
                    {...{ draft, edge, onEdge, onChange }}
                    handle={{ scenePoint, onActive, radius: HANDLE_RADIUS_PX / scale }}
                  />
                )}
                {isOffering || edge !== null ? null : brushing === null ? (
                  <PhotoOutlines
                    {...{ draft, selected, scale, scenePoint, onActive, onSelect, onChange, onRemove }}
                    lines={shown.frames}
                  />
                ) : (
                  <BrushLayer {...{ scene: draft, brushing, scale, scenePoint }} outline={shown.outline} />
                )}
                {!shown.isExact && shown.refusal === null && (
                  <p className="badge" role="status">
                    {shown.picture === null ? 'Drawing…' : 'Refining the light…'}
                  </p>
                )}
              </>
            )
          }
        </StageView>
      )}
      {view === 'edit' && (
        <p className="quiet editor-hint">
          <PointerWords {...(isOffering ? foundHint : brushing === null ? pointHint : brushHint)} />
        </p>
      )}
    </div>
  )
}

/** The grid has square cells in the first frame. */
async function artworkOf({ sample, frames }: PhotoDraft, { frames: lines }: PhotoPicture): Promise<Blob> {
  if (sample === 'sample') return (await fetch('/sample-artwork.jpg')).blob()
  if (sample !== 'grid') return sample
  const ratio = frames[0]?.aspectRatio ?? lines[0]?.aspectRatio ?? 1
  return new Blob([new Uint8Array(await gridArtwork(ratio))], { type: 'image/png' })
}

function ArtworkTools({ draft, onChange }: Pick<PhotoPictureProps, 'draft' | 'onChange'>) {
  const choose = (sample: PhotoDraft['sample']) => onChange(before => ({ ...before, sample }), crypto.randomUUID())
  return (
    <div className="row" role="group" aria-label="Artwork">
      {(['sample', 'grid'] as const).map(sample => (
        <Button
          key={sample}
          className="button-small"
          look={draft.sample === sample ? 'primary' : 'quiet'}
          aria-pressed={draft.sample === sample}
          onClick={() => choose(sample)}
        >
          {sample === 'sample' ? 'Sample' : 'Grid'}
        </Button>
      ))}
      <FilePicker label="Sample artwork" className="button-small" onFile={choose}>
        Your artwork
      </FilePicker>
    </div>
  )
}
