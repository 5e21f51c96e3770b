import { Button } from '../components/controls.tsx'

type EditorToolbarProps = {
  history: { readonly past: readonly unknown[]; readonly future: readonly unknown[] }
  /** The template was never saved. */
  isNew: boolean
  checking: boolean
  saving: boolean
  onUndo: () => void
  onRedo: () => void
  onExport: () => void
  onCheck: () => void
  onDiscard: () => void
  onSave: () => void
}

/** What can be done with the whole draft. In a narrow window the second row stays in sight. */
export function EditorToolbar({ history, isNew, checking, saving, ...on }: EditorToolbarProps) {
  return (
    <div className="row editor-toolbar">
      <div className="row">
        <Button onClick={on.onExport}>Export bundle</Button>
        <Button onClick={on.onDiscard} disabled={saving}>
          {isNew ? 'Start over' : 'Discard changes'}
        </Button>
      </div>
      <div className="row editor-actions">
        <Button onClick={on.onUndo} disabled={saving || history.past.length === 0} aria-keyshortcuts="Control+Z">
          Undo
        </Button>
        <Button
          onClick={on.onRedo}
          disabled={saving || history.future.length === 0}
          aria-keyshortcuts="Control+Shift+Z"
        >
          Redo
        </Button>
        <Button onClick={on.onCheck} aria-busy={checking}>
          Check
        </Button>
        <Button look="primary" onClick={on.onSave} aria-busy={saving}>
          {saving ? 'Saving…' : <SaveWords isNew={isNew} />}
        </Button>
      </div>
    </div>
  )
}

/** A phone shows the first word alone. */
function SaveWords({ isNew }: { isNew: boolean }) {
  return (
    <span>
      Save<span className="save-as"> {isNew ? 'template' : 'as the new version'}</span>
    </span>
  )
}
