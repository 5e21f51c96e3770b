/** The editor of templates from photos: handles on the photo, and everything else beside it. */
import '../editor.css'
import './photo.css'
import { useMemo, useState } from 'react'
import type { ProductColors, SwatchArea } from '../../coloring/product-colors.ts'
import { announce } from '../../components/announcer.tsx'
import { changeHistory } from '../../history.ts'
import { NameFields } from '../details-panel.tsx'
import { type EditorProps, EditorShell, useEditing } from '../editor-shell.tsx'
import { commonFaultsOf, type DraftFault, isPartName, PART_NAME_FAULT } from '../faults-of-draft.ts'
import { SharingChoices } from '../sharing-choices.tsx'
import { useBitmap } from '../use-bitmap.ts'
import type { PhotoPicture } from './after-answer.ts'
import type { BrushTarget } from './brush.ts'
import { CameraPanel } from './camera-panel.tsx'
import { type LensEdge, newEdge } from './lens-edge.tsx'
import type { PhotoDraft, PhotoFrame } from './photo-draft.ts'
import { PhotoFramesPanel } from './photo-frames-panel.tsx'
import { PhotoPictureView, type PhotoView } from './photo-picture.tsx'
import { ProductPanel } from './product-panel.tsx'
import { proposeFrame } from './propose-frame.ts'
import { remarksOf } from './remarks-of.ts'
import { frameToPropose } from './start-frames.ts'
import { useBrush } from './use-brush.ts'
import { usePhotoBundle } from './use-photo-bundle.ts'
import { usePhotoPicture } from './use-photo-picture.ts'

export function EditPhoto(props: EditorProps<PhotoDraft>) {
  const editing = useEditing<PhotoDraft>(props.initial, changeHistory)
  const { draft, change } = editing
  const [selected, setSelected] = useState<string | null>(draft.frames[0]?.id ?? null)
  const [view, setView] = useState<PhotoView>('edit')
  const photo = useBitmap(draft.photo)
  const { brushing: brushes, brushed, start } = useBrush(draft, change)
  const [edge, setEdge] = useState<LensEdge | null>(null)
  const [dye, setDye] = useState<string | null>(null)
  const part = draft.product?.dyes === true && isPartName(draft.product.name) ? draft.product.name : null
  const colors = useMemo<ProductColors>(() => (part === null || dye === null ? {} : { [part]: dye }), [part, dye])
  const shown = usePhotoPicture(draft, colors, brushed)
  const area = areaOf(draft, shown)
  const { build, report } = usePhotoBundle(draft)
  const isNamed = draft.product === null || isPartName(draft.product.name)
  const open: DraftFault[] = commonFaultsOf(draft)
  if (!isNamed) open.push({ place: 'area 0', message: PART_NAME_FAULT, severity: 'error' })
  const refused: DraftFault[] =
    isNamed && shown.refusal !== null ? [{ place: 'bundle', message: shown.refusal, severity: 'error' }] : []
  const seen = [...open, ...refused]
  // Undo may remove the selected frame.
  const chosen = draft.frames.some(({ id }) => id === selected) ? selected : (draft.frames.at(-1)?.id ?? null)

  const onColors = (chosen: ProductColors) => setDye(part === null ? null : (chosen[part] ?? null))
  const propose = (frame: PhotoFrame) => void proposeFrame(draft, frame, shown, change)
  const endBrushing = () => {
    brushes?.onEnd()
    const frame = brushes?.brush.target === 'product' ? frameToPropose(draft) : undefined
    if (frame !== undefined) propose(frame)
  }
  const brushing = brushes && { ...brushes, onEnd: endBrushing }
  /** null: ends. */
  const brush = (target: BrushTarget | null) => {
    if (target === null) endBrushing()
    else {
      setView('edit')
      setEdge(null)
      start(target)
    }
  }
  const measure = (isMeasuring: boolean) => {
    setEdge(isMeasuring ? newEdge(draft) : null)
    if (!isMeasuring) return
    setView('edit')
    brushes?.onEnd()
  }
  const remove = (id: string) => {
    if (draft.frames.length === 1) {
      announce('A template has one frame at least.')
      return
    }
    change(before => ({ ...before, frames: before.frames.filter(frame => frame.id !== id) }), crypto.randomUUID())
    announce('Removed the frame: Control and Z takes it back.')
  }
  return (
    <EditorShell
      {...props}
      editing={editing}
      // A refusal of an older drawing stays visible, but prevents nothing.
      open={shown.isExact ? seen : open}
      seen={() => seen}
      remarks={remarksOf(draft, report)}
      bundle={build}
      picture={
        <PhotoPictureView
          draft={draft}
          photo={photo}
          shown={shown}
          brushing={brushing}
          edge={edge}
          onEdge={setEdge}
          areas={area === null ? [] : [area]}
          colors={colors}
          onColors={onColors}
          selected={chosen}
          view={view}
          bundle={build}
          onView={setView}
          onSelect={setSelected}
          onChange={change}
          onRemove={remove}
        />
      }
    >
      {faults => (
        <>
          <PhotoFramesPanel
            draft={draft}
            lines={shown.frames}
            selected={chosen}
            onSelect={setSelected}
            onChange={change}
            onRemove={remove}
            brushed={brushing?.brush.target ?? null}
            onBrush={brush}
            onPropose={propose}
          />
          <ProductPanel
            draft={draft}
            faults={faults}
            area={area}
            colors={colors}
            isBrushing={brushing?.brush.target === 'product'}
            onColors={onColors}
            onChange={change}
            onBrush={brush}
          />
          <CameraPanel draft={draft} isMeasuring={edge !== null} onMeasure={measure} onChange={change} />
          <section className="panel stack-form" aria-label="Template">
            <NameFields draft={draft} faults={faults} onChange={change} />
          </section>
          <SharingChoices draft={draft} onChange={change} />
        </>
      )}
    </EditorShell>
  )
}

/** The part that customers may dye; null if there is none, or its colour is not known yet. */
function areaOf({ product }: PhotoDraft, { productColor }: PhotoPicture): SwatchArea | null {
  if (product?.dyes !== true || productColor === null) return null
  return { name: product.name, default: productColor, suggestions: product.suggestions }
}
