import { type FormEvent, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
import { forgetText } from './saved-text.ts'

type Action = {
  /** What went wrong the last time. What was typed is kept. */
  readonly error: Error | null
  /** For a button. */
  readonly run: () => Promise<void>
  /** For a form. */
  readonly submit: (event: FormEvent<HTMLFormElement>) => Promise<void>
  /** Forgets what was typed into the form. */
  readonly forget: () => void
}

/** Work of a button or a form, one at a time. The kept text of `form` is forgotten once it is done. */
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
