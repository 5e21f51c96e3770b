/** The editor itself: a draft on its stage, with everything that can be changed beside it. */
import './editor.css'
import { useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useReducer, useState } from 'react'
import { ApiError } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce, announceUnseen } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { Failure, Skeleton } from '../components/states.tsx'
import { download } from '../mockups.ts'
import { useSession } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { zipBlobs } from '../zip-blobs.ts'
import { bundleOfDraft, idOfName } from './bundle-of-draft.ts'
import { CheckResult } from './check-result.tsx'
import { DetailsPanel } from './details-panel.tsx'
import { type Draft, edit, type History, withPolygon } from './draft.ts'
import { forgetDraft } from './draft-store.ts'
import { ExactPreview } from './exact-preview.tsx'
import { faultsOf } from './faults-of-draft.ts'
import { FramesPanel } from './frames-panel.tsx'
import { OverlaysPanel } from './overlays-panel.tsx'
import { saveBundle } from './save-bundle.ts'
import { type PolygonActions, Stage } from './stage.tsx'
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
  const { account } = useSession()
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
  const setDrawing = (points: (before: NonNullable<Draft['drawing']>) => Draft['drawing']) =>
    change(before => ({ ...before, drawing: before.drawing && points(before.drawing) }), crypto.randomUUID())
  const polygon: PolygonActions = {
    onPoint: point => setDrawing(({ frameId, points }) => ({ frameId, points: [...points, point] })),
    onUndoPoint: () => setDrawing(({ frameId, points }) => ({ frameId, points: points.slice(0, -1) })),
    onCancel: () => setDrawing(() => null),
    onFinish: () => {
      const { drawing } = draft
      if (drawing === null) return
      if (drawing.points.length < 3) {
        announce('A shape needs three points at the least.')
        return
      }
      change(
        before => ({
          ...before,
          drawing: null,
          frames: before.frames.map(frame =>
            frame.id === drawing.frameId ? { ...frame, mask: withPolygon(frame.mask, drawing.points) } : frame,
          ),
        }),
        crypto.randomUUID(),
      )
      announceUnseen('The shape is in front of the frame.')
    },
  }
  const isNew = draft.templateId === null
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{isNew ? 'New template' : `Edit ${firstName}`}</h1>
          <p className="quiet small">{keeping}</p>
        </div>
        <div className="row">
          <Button
            onClick={() => dispatch({ kind: 'undo' })}
            disabled={history.past.length === 0}
            aria-keyshortcuts="Control+Z"
          >
            Undo
          </Button>
          <Button
            onClick={() => dispatch({ kind: 'redo' })}
            disabled={history.future.length === 0}
            aria-keyshortcuts="Control+Shift+Z"
          >
            Redo
          </Button>
          <Button onClick={() => void exportBundle()}>Export bundle</Button>
          <Button onClick={() => void checkNow()} aria-busy={check.state === 'checking'}>
            Check
          </Button>
          <Button onClick={() => setAsking(true)}>{isNew ? 'Start over' : 'Discard changes'}</Button>
          <Button look="primary" onClick={() => void save()} aria-busy={saving}>
            {saving ? 'Saving…' : isNew ? 'Save template' : 'Save as the new version'}
          </Button>
        </div>
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
          {account.role === 'operator' && isNew && (
            <label className="check">
              <input
                type="checkbox"
                checked={draft.shared}
                onChange={event => {
                  const shared = event.currentTarget.checked
                  change(before => ({ ...before, shared }), 'shared')
                }}
              />
              Share with every account
            </label>
          )}
          <FramesPanel
            draft={draft}
            faults={faults}
            selected={selected}
            onSelect={setSelected}
            onChange={change}
            onStartPolygon={frameId => {
              setSelected(frameId)
              setView('edit')
              change(before => ({ ...before, drawing: { frameId, points: [] } }), crypto.randomUUID())
              announceUnseen('Click around the thing in front of the frame, then choose Finish.')
            }}
            polygon={polygon}
          />
          <OverlaysPanel draft={draft} faults={faults} onChange={change} />
        </div>
      </div>
      {asking && (
        <Dialog
          title={isNew ? `Throw “${draft.name}” away?` : `Discard what you changed in “${firstName}”?`}
          onClose={() => setAsking(false)}
          isDestructive
          actions={
            <Button look="danger" onClick={() => void discard()}>
              {isNew ? 'Throw it away' : 'Discard the changes'}
            </Button>
          }
        >
          <p>
            {isNew
              ? 'The photo and its frames are on this device alone, and can’t be brought back.'
              : 'The template stays as it was saved last.'}
          </p>
        </Dialog>
      )}
    </>
  )
}

function useUndoKeys(dispatch: (action: { kind: 'undo' } | { kind: 'redo' }) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey)) return
      const key = event.key.toLowerCase()
      if (key !== 'z' && key !== 'y') return
      event.preventDefault()
      dispatch({ kind: key === 'y' || event.shiftKey ? 'redo' : 'undo' })
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [dispatch])
}

/** The photo's pixels at full size, for the stage and its magnifier. */
function useBitmap(blob: Blob): ImageBitmap | null {
  const [bitmap, setBitmap] = useState<ImageBitmap | null>(null)
  useEffect(() => {
    let current: ImageBitmap | null = null
    let left = false
    createImageBitmap(blob, { colorSpaceConversion: 'none' }).then(
      made => {
        if (left) made.close()
        else setBitmap((current = made))
      },
      () => announce('The photo could not be read.'),
    )
    return () => {
      left = true
      current?.close()
      setBitmap(null)
    }
  }, [blob])
  return bitmap
}
