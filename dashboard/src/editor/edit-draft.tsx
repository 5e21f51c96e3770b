/** The editor of frames that are set by hand: the stage, and the panels beside it. */
import { useState } from 'react'
import { announceUnseen } from '../components/announcer.tsx'
import { useObjectUrl } from '../use-object-url.ts'
import { AreasPanel } from './areas-panel.tsx'
import { bundleOfDraft } from './bundle-of-draft.ts'
import { DetailsPanel } from './details-panel.tsx'
import { type Draft, edit, FRAMES_MAX, isMapped } from './draft.ts'
import { EditorPicture, type EditorView } from './editor-picture.tsx'
import { type EditorProps, EditorShell, useEditing } from './editor-shell.tsx'
import { faultsOf, unfinishedOf } from './faults-of-draft.ts'
import { FramesPanel } from './frames-panel.tsx'
import { OverlaysPanel } from './overlays-panel.tsx'
import { polygonActionsOf } from './polygon-actions.ts'
import { SharingChoices } from './sharing-choices.tsx'
import { useBitmap } from './use-bitmap.ts'
import { useRemarks } from './use-remarks.ts'

export function EditDraft(props: EditorProps<Draft>) {
  const editing = useEditing(props.initial, edit)
  const { draft, change } = editing
  const [selected, setSelected] = useState<string | null>(draft.frames[0]?.id ?? null)
  const [view, setView] = useState<EditorView>('edit')
  const photo = useBitmap(draft.photo)
  const sampleUrl = useObjectUrl(draft.sample) ?? '/sample-artwork.jpg'
  const begun = faultsOf(draft)
  const unfinished = unfinishedOf(draft)
  const remarks = useRemarks(draft, photo)
  const polygon = polygonActionsOf(draft, change, setSelected)
  const startPolygon = (frameId: string | null, hint: string) => {
    setView('edit')
    change(before => ({ ...before, drawing: { frameId, points: [] } }), crypto.randomUUID())
    announceUnseen(hint)
  }
  const panel = { draft, selected, polygon, onSelect: setSelected, onChange: change }
  return (
    <EditorShell
      {...props}
      {...{ editing, remarks }}
      open={[...begun, ...unfinished]}
      seen={tried => [...begun, ...(tried ? unfinished : [])]}
      bundle={() => bundleOfDraft(draft)}
      picture={
        <EditorPicture
          {...panel}
          photo={photo}
          sampleUrl={sampleUrl}
          view={view}
          mayAddFrame={draft.frames.length < FRAMES_MAX && !isMapped(draft)}
          onView={setView}
          onDrawFrame={() => startPolygon(null, 'Drag a rectangle, or set its four corners.')}
        />
      }
    >
      {faults => (
        <>
          <DetailsPanel draft={draft} faults={faults} onChange={change} />
          <SharingChoices draft={draft} onChange={change} />
          <FramesPanel
            {...panel}
            faults={faults}
            onStartPolygon={frameId => {
              setSelected(frameId)
              startPolygon(frameId, 'Click around the thing in front of the frame, then choose Finish.')
            }}
          />
          <AreasPanel
            {...panel}
            faults={faults}
            onStartPolygon={areaId => {
              setSelected(areaId)
              startPolygon(areaId, 'Click around the part, then choose Finish.')
            }}
          />
          <OverlaysPanel draft={draft} faults={faults} onChange={change} />
        </>
      )}
    </EditorShell>
  )
}
