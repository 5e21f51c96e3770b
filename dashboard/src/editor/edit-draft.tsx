/** The editor itself: a draft on its stage, with everything that can be changed beside it. */
import './editor.css'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useReducer, useState } from 'react'
import { ApiError } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce, announceUnseen } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { Failure, Skeleton } from '../components/states.tsx'
import { download } from '../mockups.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { useUndoKeys } from '../use-undo-keys.ts'
import { zipBlobs } from '../zip-blobs.ts'
import { AreasPanel } from './areas-panel.tsx'
import { bundleOfDraft, idOfName } from './bundle-of-draft.ts'
import { CheckResult } from './check-result.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { DiscardDialog } from './discard-dialog.tsx'
import { type Draft, edit, type History } from './draft.ts'
import { forgetDraft } from './draft-store.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import { ExactPreview } from './exact-preview.tsx'
import { faultsOf } from './faults-of-draft.ts'
import { FramesPanel } from './frames-panel.tsx'
import { OverlaysPanel } from './overlays-panel.tsx'
import { polygonActionsOf } from './polygon-actions.ts'
import { saveBundle } from './save-bundle.ts'
import { SharingChoices } from './sharing-choices.tsx'
import { Stage } from './stage.tsx'
import { useBitmap } from './use-bitmap.ts'
import { useCheck } from './use-check.ts'
import { useFocusKept } from './use-focus-kept.ts'
import { useKeepDraft } from './use-keep-draft.ts'

type EditDraftProps = {
  initial: History
  storeKey: string
  /** What was done to get here, or that this is work from before. */
  notice: string | null
  onDiscard: () => void
}

export function EditDraft({ initial, storeKey, notice, onDiscard }: EditDraftProps) {
  const navigate = useNavigate()
  const [history, dispatch] = useReducer(edit, initial)
  const draft = history.present
  const [selected, setSelected] = useState<string | null>(draft.frames[0]?.id ?? null)
  const [view, setView] = useState<'edit' | 'preview'>('edit')
  const [error, setError] = useState<Error | null>(null)
  const [saving, setSaving] = useState(false)
  const [asking, setAsking] = useState(false)
  const photo = useBitmap(draft.photo)
  const sampleUrl = useObjectUrl(draft.sample) ?? '/sample-artwork.jpg'
  const change = useCallback(
    (apply: (draft: Draft) => Draft, gesture: string) => dispatch({ kind: 'change', gesture, change: apply }),
    [],
  )
  const keeping = useKeepDraft(storeKey, history, initial)
  useUndoKeys(dispatch)
  const editor = useFocusKept(draft)
  const { check, run: checkNow } = useCheck(draft)
  const faults = check.state === 'checked' ? check.faults : faultsOf(draft)
  // What a template is called until it is saved under another name.
  const [{ name: firstName }] = useState(initial.past[0] ?? initial.present)

  const save = async () => {
    setError(null)
    if (saving) return
    const open = faultsOf(draft)
    if (open.length > 0) {
      announceUnseen(open.map(({ message }) => message).join(' '))
      return
    }
    setSaving(true)
    try {
      const bundle = await bundleOfDraft(draft, draft.templateId ?? idOfName(draft.name))
      const id = await saveBundle(await zipBlobs(bundle), draft.shared)
      await forgetDraft(storeKey)
      announce(`Saved the template ${draft.name}.`)
      await navigate({ to: '/templates/$id', params: { id } })
    } catch (failure) {
      setError(asError(failure))
    } finally {
      setSaving(false)
    }
  }
  const exportBundle = async () => {
    try {
      const bundle = await bundleOfDraft(draft, draft.templateId ?? idOfName(draft.name))
      download(await zipBlobs(bundle), `${draft.name.trim() || 'template'}.zip`)
    } catch (failure) {
      setError(asError(failure))
    }
  }
  const discard = async () => {
    await forgetDraft(storeKey)
    onDiscard()
  }
  const polygon = polygonActionsOf(draft, change)
  const startPolygon = (id: string, hint: string) => {
    setView('edit')
    change(before => ({ ...before, drawing: { frameId: id, points: [] } }), crypto.randomUUID())
    announceUnseen(hint)
  }
  const isNew = draft.templateId === null
  return (
    <>
      <header className="page-head">
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
        <div className="editor-picture">
          <div className="row" role="group" aria-label="View">
            {(['edit', 'preview'] as const).map(name => (
              <Button
                key={name}
                className="button-small"
                look={view === name ? 'primary' : 'quiet'}
                aria-pressed={view === name}
                onClick={() => setView(name)}
              >
                {name === 'edit' ? 'Frames' : 'Exact preview'}
              </Button>
            ))}
            <FilePicker
              label="Sample artwork"
              className="button-small"
              onFile={sample => change(before => ({ ...before, sample }), crypto.randomUUID())}
            >
              Try another artwork
            </FilePicker>
          </div>
          {view === 'preview' && <ExactPreview draft={draft} sampleUrl={sampleUrl} />}
          {view === 'edit' && photo === null && <Skeleton rows={1} height={480} />}
          {view === 'edit' && photo !== null && (
            <Stage
              draft={draft}
              photo={photo}
              sampleUrl={sampleUrl}
              selected={selected}
              onSelect={setSelected}
              onCorners={(id, corners, gesture) =>
                change(
                  before => ({
                    ...before,
                    frames: before.frames.map(frame => (frame.id === id ? { ...frame, corners } : frame)),
                  }),
                  gesture,
                )
              }
              polygon={polygon}
            />
          )}
          {view === 'edit' && (
            <p className="quiet editor-hint">
              Drag the corners, or move the focused one with the arrow keys: a pixel, with Shift ten, with Alt a tenth.
            </p>
          )}
        </div>
        <div className="stack-form">
          <CheckResult check={check} faults={faults} />
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
