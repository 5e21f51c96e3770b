import { ActionDialog } from '../components/action-dialog.tsx'

type DiscardDialogProps = {
  /** The template's name. */
  name: string
  /** It was never saved. */
  isNew: boolean
  onClose: () => void
  onDiscard: () => Promise<void>
}

/** Asks before a draft is discarded. */
export function DiscardDialog({ name, isNew, onClose, onDiscard }: DiscardDialogProps) {
  return (
    <ActionDialog
      title={isNew ? `Throw “${name}” away?` : `Discard what you changed in “${name}”?`}
      label={isNew ? 'Discard it' : 'Discard the changes'}
      action={onDiscard}
      onClose={onClose}
      isDestructive
    >
      <p>
        {isNew
          ? 'The photo and its frames are on this device alone, and can’t be brought back.'
          : 'The template stays as it was saved last.'}
      </p>
    </ActionDialog>
  )
}
