/** A modal question on the browser's own dialog element: focus stays inside, Escape closes it. */
import './dialog.css'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './controls.tsx'

type DialogProps = {
  title: string
  /** Runs when it is put aside. */
  onClose: () => void
  children: ReactNode
  actions?: ReactNode
}

export function Dialog({ title, onClose, children, actions }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} aria-labelledby={id} className="dialog" onClose={onClose}>
      <h2 id={id}>{title}</h2>
      <div className="dialog-body">{children}</div>
      <div className="dialog-actions">
        {actions}
        <Button onClick={() => dialog.current?.close()}>{actions === undefined ? 'Close' : 'Cancel'}</Button>
      </div>
    </dialog>
  )
}
