import { type FormEvent, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
import { forgetText } from './kept-text.ts'

type Action = {
  /** What went wrong the last time; what was typed stays where it is. */
  readonly error: Error | null
  /** For a button. */
  readonly act: () => Promise<void>
  /** For a form. */
  readonly submit: (event: FormEvent<HTMLFormElement>) => Promise<void>
  /** Forgets what was typed into the form: it was put aside. */
  readonly forget: () => void
}

/**
 * Work that a button or a form begins: once at a time, however often it is pressed. What was typed into the fields of `form` is forgotten once
 * the work is done.
 */
export function useAction(work: (fields: FormData) => Promise<void>, form?: string): Action {
  const [error, setError] = useState<Error | null>(null)
  const busy = useRef(false)
  const forget = () => {
    if (form !== undefined) forgetText(form)
  }
  const run = async (fields: FormData) => {
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
    act: () => run(new FormData()),
    async submit(event) {
      event.preventDefault()
      await run(new FormData(event.currentTarget))
    },
    forget,
  }
}
