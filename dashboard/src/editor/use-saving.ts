/** Saving a draft as a template, and exporting its bundle. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
import { announce, announceUnseen } from '../components/announcer.tsx'
import { download } from '../visit/mockups.ts'
import { zipBlobs } from '../zip-blobs.ts'
import type { Shareable } from './draft.ts'
import { forgetDraft } from './draft-store.ts'
import type { DraftFault } from './faults-of-draft.ts'
import { isSharedNow, saveBundle } from './save-bundle.ts'

type Saving = {
  readonly error: Error | null
  readonly saving: boolean
  /** Whether saving this draft was tried: from then on, the page shows what is unfinished. */
  readonly tried: boolean
  readonly save: () => Promise<void>
  readonly exportBundle: () => Promise<void>
}

type Saved = Pick<Shareable, 'id' | 'isNew' | 'shared'> & { readonly name: string }

/** `open`: what prevents saving now. `bundle`: the files to save. */
export function useSaving(
  { id: templateId, isNew, name, shared }: Saved,
  open: readonly DraftFault[],
  bundle: () => Promise<ReadonlyMap<string, Blob>>,
  storeKey: string,
): Saving {
  const navigate = useNavigate()
  const [error, setError] = useState<Error | null>(null)
  const [saving, setSaving] = useState(false)
  const [tried, setTried] = useState(false)
  const isOpen = useRef(true)
  useEffect(() => {
    isOpen.current = true
    return () => {
      isOpen.current = false
    }
  }, [])
  const save = async () => {
    setError(null)
    if (saving) return
    setTried(true)
    if (open.length > 0) {
      announceUnseen(open.map(({ message }) => message).join(' '))
      return
    }
    setSaving(true)
    try {
      const isShared = isNew ? shared : await isSharedNow(templateId, shared)
      const id = await saveBundle(await zipBlobs(await bundle()), isShared, 'editor')
      await forgetDraft(storeKey)
      announce(`Saved the template ${name}.`)
      if (isOpen.current) await navigate({ to: '/templates/$id', params: { id } })
    } catch (failure) {
      if (isOpen.current) setError(asError(failure))
      else announce(`${name} was not saved: its draft is in this browser.`)
    } finally {
      setSaving(false)
    }
  }
  const exportBundle = async () => {
    try {
      download(await zipBlobs(await bundle()), `${name.trim() || 'template'}.zip`)
    } catch (failure) {
      setError(asError(failure))
    }
  }
  return { error, saving, tried, save, exportBundle }
}
