/** A dialog with one action: a form with fields, or a question. */
import { type ReactNode, useId } from 'react'
import { Button } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { Failure } from './states.tsx'
import { useAction } from './use-action.ts'

type ActionDialogProps = {
  title: string
  /** The text of the action's button. */
  label: ReactNode
  /** Its errors are shown. */
  action: (fields: FormData) => Promise<void>
  /** Called when it is closed without the action. */
  onClose: () => void
  look?: 'primary' | 'danger'
  /** The action is destructive: Cancel has the focus. */
  isDestructive?: boolean
  /** The form in the `saveAs` of its fields. */
  form?: string
  isOff?: boolean
  children: ReactNode
}

export function ActionDialog({
  title,
  label,
  action,
  onClose,
  isDestructive = false,
  look = isDestructive ? 'danger' : 'primary',
  form,
  isOff = false,
  children,
}: ActionDialogProps) {
  const id = useId()
  const { error, isBusy, submit, forget } = useAction(action, form)
  return (
    <Dialog
      title={title}
      onClose={() => {
        forget()
        onClose()
      }}
      isDestructive={isDestructive}
      actions={
        <Button look={look} type="submit" form={id} disabled={isOff} aria-busy={isBusy}>
          {label}
        </Button>
      }
    >
      <form id={id} className="dialog-form" onSubmit={event => void submit(event)}>
        {children}
        {error !== null && <Failure error={error} />}
      </form>
    </Dialog>
  )
}
