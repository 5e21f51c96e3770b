/** A modal question on the browser's own dialog element: focus stays inside, Escape closes it. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from './controls.tsx'
import { forgetText } from './kept-text.ts'

type DialogProps = {
  title: string
  onClose: () => void
  children: ReactNode
  actions?: ReactNode
  /** The form inside whose text is forgotten when the dialog is put aside. */
  form?: string
}

export function Dialog({ title, onClose, children, actions, form }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const onPutAside = () => {
    if (form !== undefined) forgetText(form)
    onClose()
  }
  return (
    <dialog ref={dialog} aria-labelledby={id} className="dialog" onClose={onPutAside}>
      <h2 id={id}>{title}</h2>
      <div className="dialog-body">{children}</div>
      <div className="dialog-actions">
        {actions}
        <Button onClick={() => dialog.current?.close()}>{actions === undefined ? 'Close' : 'Cancel'}</Button>
      </div>
    </dialog>
  )
}
