/** A modal dialog on the browser's own element: focus stays inside, Escape closes it. */
import './dialog.css'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from './controls.tsx'

type DialogProps = {
  title: string
  /** Called when it is closed. */
  onClose: () => void
  children: ReactNode
  actions?: ReactNode
  /** The action is destructive: Cancel has the focus. */
  isDestructive?: boolean
  /** Asked before closing, if the dialog shows something that is shown only once. */
  closeQuestion?: string | undefined
  /** The action is done: there is nothing to cancel. */
  isDone?: boolean
}

export function Dialog({
  title,
  onClose,
  children,
  actions,
  isDestructive = false,
  closeQuestion,
  isDone = false,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  const stay = useRef<HTMLButtonElement>(null)
  const isConfirmed = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
    if (isDestructive) cancel.current?.focus()
  }, [isDestructive])
  const mustAsk = () => closeQuestion !== undefined && !isConfirmed.current
  const askOrClose = () => {
    if (mustAsk()) setAsking(true)
    else dialog.current?.close()
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      className="dialog"
      onCancel={event => {
        if (!mustAsk()) return
        event.preventDefault()
        setAsking(true)
      }}
      onClose={() => {
        if (!mustAsk()) {
          onClose()
          return
        }
        // A second Escape without a click in between closes the dialog even if cancelling was prevented.
        dialog.current?.showModal()
        stay.current?.focus()
        setAsking(true)
      }}
    >
      <h2 id={id}>{title}</h2>
      <div className="dialog-body">{children}</div>
      {isAsking && closeQuestion !== undefined ? (
        <div className="dialog-actions" role="alert">
          <p>
            <strong>{closeQuestion}</strong> It is not shown again.
          </p>
          <Button ref={stay} autoFocus onClick={() => setAsking(false)}>
            Not yet
          </Button>
          <Button
            look="danger"
            onClick={() => {
              isConfirmed.current = true
              dialog.current?.close()
            }}
          >
            Yes, close it
          </Button>
        </div>
      ) : (
        <div className="dialog-actions">
          {actions}
          <Button ref={cancel} onClick={askOrClose}>
            {actions === undefined || isDone ? 'Close' : 'Cancel'}
          </Button>
        </div>
      )}
    </dialog>
  )
}
