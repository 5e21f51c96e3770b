/** The common parts of both editors: a stored draft with undo, its picture, panels, checking and saving. */
import './editor.css'
import { type ReactNode, useCallback, useReducer, useState } from 'react'
import { ApiError } from '../api.ts'
import { Failure } from '../components/states.tsx'
import type { Edit, History } from '../history.ts'
import { useUndoKeys } from '../use-undo-keys.ts'
import { CheckResult } from './check-result.tsx'
import { DiscardDialog } from './discard-dialog.tsx'
import type { Shareable } from './draft.ts'
import { forgetDraft } from './draft-store.ts'
import { EditorToolbar } from './editor-toolbar.tsx'
import type { DraftFault } from './faults-of-draft.ts'
import { useCheck } from './use-check.ts'
import { useKeepDraft } from './use-keep-draft.ts'
import { useRetainedFocus } from './use-retained-focus.ts'
import { useSaving } from './use-saving.ts'

/** What either editor edits. */
type Edited = Pick<Shareable, 'id' | 'isNew' | 'shared'> & { readonly name: string }

export type EditorProps<Draft extends Edited> = {
  initial: History<Draft>
  storeKey: string
  /** What was done to the photo, or that an earlier draft was restored. */
  notice: string | null
  onDiscard: () => void
}

type Apply<Draft> = (change: (draft: Draft) => Draft, gesture: string) => void
type Reducer<Draft> = (history: History<Draft>, action: Edit<Draft>) => History<Draft>

/** The draft and its undo steps. */
export function useEditing<Draft extends Edited>(initial: History<Draft>, reduce: Reducer<Draft>) {
  const [history, dispatch] = useReducer(reduce, initial)
  const change = useCallback<Apply<Draft>>((apply, gesture) => dispatch({ kind: 'change', gesture, change: apply }), [])
  return { history, dispatch, draft: history.present, change }
}

type EditorShellProps<Draft extends Edited> = EditorProps<Draft> & {
  editing: ReturnType<typeof useEditing<Draft>>
  /** Faults that prevent saving. */
  open: readonly DraftFault[]
  /** The faults that are shown; `tried`: saving was tried. */
  seen: (tried: boolean) => readonly DraftFault[]
  /** Warnings that do not prevent saving. */
  remarks: readonly string[]
  bundle: () => Promise<ReadonlyMap<string, Blob>>
  picture: ReactNode
  /** The panels beside the picture. */
  children: (faults: readonly DraftFault[]) => ReactNode
}

const ignore = () => undefined

export function EditorShell<Draft extends Edited>(props: EditorShellProps<Draft>) {
  const { initial, storeKey, notice, onDiscard, editing, open, seen, remarks, bundle, picture, children } = props
  const { history, dispatch, draft } = editing
  const { isNew } = draft
  const [asking, setAsking] = useState(false)
  const keeping = useKeepDraft(storeKey, history, initial)
  const editor = useRetainedFocus()
  const { check, run: checkNow } = useCheck(draft, open, bundle)
  const { error, saving, tried, save, exportBundle } = useSaving(draft, open, bundle, storeKey)
  useUndoKeys(saving ? ignore : dispatch)
  const faults = check.state === 'checked' ? check.faults : seen(tried)
  // The template's name until it is saved under another.
  const [{ name: firstName }] = useState(initial.past[0] ?? initial.present)

  const discard = async () => {
    await forgetDraft(storeKey)
    onDiscard()
  }
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
      {/* A change during saving would not be in what is saved. */}
      <div className="editor" ref={editor} inert={saving}>
        {picture}
        <div className="stack-form">
          <CheckResult check={check} faults={faults} remarks={remarks} />
          {children(faults)}
        </div>
      </div>
      {asking && (
        <DiscardDialog
          name={isNew ? draft.name : firstName}
          isNew={isNew}
          onClose={() => setAsking(false)}
          onDiscard={discard}
        />
      )}
    </>
  )
}
