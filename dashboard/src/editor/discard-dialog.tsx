import { Button } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'

type DiscardDialogProps = {
  /** The template's name. */
  name: string
  /** It was never saved. */
  isNew: boolean
  onClose: () => void
  onDiscard: () => void
}

/** Asks before a draft is discarded. */
export function DiscardDialog({ name, isNew, onClose, onDiscard }: DiscardDialogProps) {
  return (
    <Dialog
      title={isNew ? `Throw “${name}” away?` : `Discard what you changed in “${name}”?`}
      onClose={onClose}
      isDestructive
      actions={
        <Button look="danger" onClick={onDiscard}>
          {isNew ? 'Discard it' : 'Discard the changes'}
        </Button>
      }
    >
      <p>
        {isNew
          ? 'The photo and its frames are on this device alone, and can’t be brought back.'
          : 'The template stays as it was saved last.'}
      </p>
    </Dialog>
  )
}
