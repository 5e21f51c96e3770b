/** The picture of the editor: the photo with the artwork in it, the handles, and what is looked at. */
import { useRef } from 'react'
import { Button } from '../../components/controls.tsx'
import { FilePicker } from '../../components/file-picker.tsx'
import { PointerWords } from '../../components/pointer-words.tsx'
import { Skeleton } from '../../components/states.tsx'
import { ZoomTools } from '../editor-picture.tsx'
import { ExactPreview } from '../exact-preview.tsx'
import { StageView } from '../stage-view.tsx'
import { useStageZoom } from '../use-stage-zoom.ts'
import { gridArtwork } from './grid-artwork.ts'
import type { ChangePhoto, PhotoDraft } from './photo-draft.ts'
import { PhotoOutlines, PhotoPictureLayer } from './photo-stage.tsx'
import type { PhotoPicture } from './use-photo-picture.ts'

export type PhotoView = 'edit' | 'before' | 'preview'

const views = [
  { name: 'edit', words: 'Edit' },
  { name: 'before', words: 'Before' },
  { name: 'preview', words: 'Exact preview' },
] as const

type PhotoPictureProps = {
  draft: PhotoDraft
  photo: ImageBitmap | null
  shown: PhotoPicture
  selected: string | null
  view: PhotoView
  bundle: () => Promise<ReadonlyMap<string, Blob>>
  onView: (view: PhotoView) => void
  onSelect: (id: string) => void
  onChange: ChangePhoto
  onRemove: (id: string) => void
}

export function PhotoPictureView(props: PhotoPictureProps) {
  const { draft, photo, shown, selected, view, bundle, onView, onSelect, onChange, onRemove } = props
  const stageView = useRef<HTMLDivElement>(null)
  const zooming = useStageZoom(stageView)
  const isOnStage = view !== 'preview'
  return (
    <div className="editor-picture">
      <div className="row editor-tools">
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
        <ArtworkTools draft={draft} onChange={onChange} />
        {isOnStage && <ZoomTools {...zooming.shown} />}
      </div>
      {!isOnStage && <ExactPreview draft={draft} bundle={bundle} artwork={() => artworkOf(draft, shown)} areas={[]} />}
      {isOnStage && photo === null && <Skeleton rows={1} height={480} />}
      {isOnStage && photo !== null && (
        <StageView scene={draft} photo={photo} view={stageView} zooming={zooming} isMagnified={view === 'edit'}>
          {({ scale, scenePoint, onActive }) =>
            view === 'edit' && (
              <>
                {shown.picture !== null && <PhotoPictureLayer picture={shown.picture} />}
                <PhotoOutlines
                  {...{ draft, selected, scale, scenePoint, onActive, onSelect, onChange, onRemove }}
                  lines={shown.frames}
                />
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
          <PointerWords
            fine="Drag the points, or move the one that has the focus with the arrow keys: a pixel, with Shift ten, with Alt a tenth. Zoom with + and -, with Control and the wheel, or with two fingers."
            coarse="Drag the points. Zoom with two fingers."
          />
        </p>
      )}
    </div>
  )
}

/** Of the first frame a grid has square cells. */
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
