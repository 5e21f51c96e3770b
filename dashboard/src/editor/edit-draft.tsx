/** The editor itself: a draft on its stage, with everything that can be changed beside it. */
import './editor.css'
import { useCallback, useReducer, useState } from 'react'
import { ApiError } from '../api.ts'
import { announceUnseen } from '../components/announcer.tsx'
import { Failure } from '../components/states.tsx'
import { useObjectUrl } from '../use-object-url.ts'
import { useUndoKeys } from '../use-undo-keys.ts'
import { AreasPanel } from './areas-panel.tsx'
import { bundleOfDraft, idOfName } from './bundle-of-draft.ts'
import { CheckResult } from './check-result.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { DiscardDialog } from './discard-dialog.tsx'
import { type Draft, edit, FRAMES_MAX, type History, isMapped } from './draft.ts'
import { forgetDraft } from './draft-store.ts'
import { EditorPicture, type EditorView } from './editor-picture.tsx'
import { EditorToolbar } from './editor-toolbar.tsx'
import { faultsOf, unfinishedOf } from './faults-of-draft.ts'
import { FramesPanel } from './frames-panel.tsx'
import { OverlaysPanel } from './overlays-panel.tsx'
import { polygonActionsOf } from './polygon-actions.ts'
import { SharingChoices } from './sharing-choices.tsx'
import { useBitmap } from './use-bitmap.ts'
import { useCheck } from './use-check.ts'
import { useKeepDraft } from './use-keep-draft.ts'
import { useRemarks } from './use-remarks.ts'
import { useRetainedFocus } from './use-retained-focus.ts'
import { useSaving } from './use-saving.ts'

type EditDraftProps = {
  initial: History
  storeKey: string
  /** What was done to get here, or that this is work from before. */
  notice: string | null
  onDiscard: () => void
}

export function EditDraft({ initial, storeKey, notice, onDiscard }: EditDraftProps) {
  const [history, dispatch] = useReducer(edit, initial)
  const draft = history.present
  const [selected, setSelected] = useState<string | null>(draft.frames[0]?.id ?? null)
  const [view, setView] = useState<EditorView>('edit')
  const [asking, setAsking] = useState(false)
  const photo = useBitmap(draft.photo)
  const sampleUrl = useObjectUrl(draft.sample) ?? '/sample-artwork.jpg'
  const change = useCallback(
    (apply: (draft: Draft) => Draft, gesture: string) => dispatch({ kind: 'change', gesture, change: apply }),
    [],
  )
  const keeping = useKeepDraft(storeKey, history, initial)
  useUndoKeys(dispatch)
  const editor = useRetainedFocus(draft)
  const open = [...faultsOf(draft), ...unfinishedOf(draft)]
  const bundle = () => bundleOfDraft(draft, draft.templateId ?? idOfName(draft.name))
  const { check, run: checkNow } = useCheck(draft, open, bundle)
  const { error, saving, tried, save, exportBundle } = useSaving(draft, open, bundle, storeKey)
  const seen = [...faultsOf(draft), ...(tried ? unfinishedOf(draft) : [])]
  const faults = check.state === 'checked' ? check.faults : seen
  const remarks = useRemarks(draft, photo)
  // What a template is called until it is saved under another name.
  const [{ name: firstName }] = useState(initial.past[0] ?? initial.present)

  const discard = async () => {
    await forgetDraft(storeKey)
    onDiscard()
  }
  const polygon = polygonActionsOf(draft, change, setSelected)
  const startPolygon = (frameId: string | null, hint: string) => {
    setView('edit')
    change(before => ({ ...before, drawing: { frameId, points: [] } }), crypto.randomUUID())
    announceUnseen(hint)
  }
  const isNew = draft.templateId === null
  return (
    <>
      <header className="page-head editor-head">
        <div>
          <h1>{isNew ? 'New template' : `Edit ${firstName}`}</h1>
          <p className="quiet small">{keeping}</p>
        </div>
        <EditorToolbar
          history={history}
          isNew={isNew}
          checking={check.state === 'checking'}
          saving={saving}
          onUndo={() => dispatch({ kind: 'undo' })}
          onRedo={() => dispatch({ kind: 'redo' })}
          onExport={() => void exportBundle()}
          onCheck={() => void checkNow()}
          onDiscard={() => setAsking(true)}
          onSave={() => void save()}
        />
      </header>
      {error !== null && (
        <div className="stack-small editor-error">
          <Failure error={error} onRetry={() => void save()} />
          {error instanceof ApiError && <p className="quiet">Nothing you made is lost.</p>}
        </div>
      )}
      {notice !== null && <p className="notice editor-error">{notice}</p>}
      <div className="editor" ref={editor}>
        <EditorPicture
          draft={draft}
          photo={photo}
          sampleUrl={sampleUrl}
          selected={selected}
          view={view}
          mayAddFrame={draft.frames.length < FRAMES_MAX && !isMapped(draft)}
          onView={setView}
          onSelect={setSelected}
          onChange={change}
          onDrawFrame={() => startPolygon(null, 'Drag a rectangle, or set its four corners.')}
          polygon={polygon}
        />
        <div className="stack-form">
          <CheckResult check={check} faults={faults} remarks={remarks} />
          <DetailsPanel draft={draft} faults={faults} onChange={change} />
          <SharingChoices draft={draft} onChange={change} />
          <FramesPanel
            draft={draft}
            faults={faults}
            selected={selected}
            onSelect={setSelected}
            onChange={change}
            onStartPolygon={frameId => {
              setSelected(frameId)
              startPolygon(frameId, 'Click around the thing in front of the frame, then choose Finish.')
            }}
            polygon={polygon}
          />
          <AreasPanel
            draft={draft}
            faults={faults}
            selected={selected}
            onSelect={setSelected}
            onChange={change}
            onStartPolygon={areaId => {
              setSelected(areaId)
              startPolygon(areaId, 'Click around the part, then choose Finish.')
            }}
            polygon={polygon}
          />
          <OverlaysPanel draft={draft} faults={faults} onChange={change} />
        </div>
      </div>
      {asking && (
        <DiscardDialog
          name={isNew ? draft.name : firstName}
          isNew={isNew}
          onClose={() => setAsking(false)}
          onDiscard={() => void discard()}
        />
      )}
    </>
  )
}
