import { type FormEvent, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
import { forgetText } from './saved-text.ts'

/** What a button does, one at a time: `run` does nothing while it is busy. */
export function useWork<Args extends readonly unknown[]>(work: (...args: Args) => Promise<void>) {
  const [error, setError] = useState<Error | null>(null)
  const [isBusy, setBusy] = useState(false)
  const busy = useRef(false)
  const run = async (...args: Args): Promise<void> => {
    if (busy.current) return
    busy.current = true
    setBusy(true)
    setError(null)
    try {
      await work(...args)
    } catch (failure) {
      setError(asError(failure))
    } finally {
      busy.current = false
      setBusy(false)
    }
  }
  /** `error`: of the last attempt. */
  return { error, isBusy, run, forgetError: () => setError(null) }
}

/** What a form does; the typed text stays after an error. The saved text of `form` is removed on success. */
export function useAction(work: (fields: FormData) => Promise<void>, form?: string) {
  const forget = () => {
    if (form !== undefined) forgetText(form)
  }
  const { run, ...state } = useWork(async (fields: FormData) => {
    await work(fields)
    forget()
  })
  const submit = (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    return run(new FormData(event.currentTarget))
  }
  /** `forget` removes the saved text. */
  return { ...state, submit, forget }
}
