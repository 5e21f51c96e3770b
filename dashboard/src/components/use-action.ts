import { type FormEvent, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
import { forgetText } from './saved-text.ts'

type Action = {
  /** The error of the last attempt. The typed text stays. */
  readonly error: Error | null
  /** For buttons. */
  readonly run: () => Promise<void>
  /** For forms. */
  readonly submit: (event: FormEvent<HTMLFormElement>) => Promise<void>
  /** Removes the saved text of the form. */
  readonly forget: () => void
}

/** The action of a button or form, one at a time. The saved text of `form` is removed once it succeeds. */
export function useAction(work: (fields: FormData) => Promise<void>, form?: string): Action {
  const [error, setError] = useState<Error | null>(null)
  const busy = useRef(false)
  const forget = () => {
    if (form !== undefined) forgetText(form)
  }
  const runWith = async (fields: FormData) => {
    if (busy.current) return
    busy.current = true
    setError(null)
    try {
      await work(fields)
      forget()
    } catch (failure) {
      setError(asError(failure))
    } finally {
      busy.current = false
    }
  }
  return {
    error,
    run: () => runWith(new FormData()),
    async submit(event) {
      event.preventDefault()
      await runWith(new FormData(event.currentTarget))
    },
    forget,
  }
}
