/** The bundle of a draft, made in this browser on request, and once for the same drawing. */
import type { PhotoReport } from '@vitrine/photo'
import { useEffect, useRef, useState } from 'react'
import { drawingOfDraft } from './drawing-of-draft.ts'
import type { PhotoDraft } from './photo-draft.ts'
import type { BuiltTemplate } from './photo-messages.ts'
import { openPhotoWorker, type PhotoWorker } from './photo-worker-client.ts'

export type PhotoBundle = {
  /** Rejects with an error that says what to do. */
  readonly build: () => Promise<ReadonlyMap<string, Blob>>
  /** For exactly this draft; null: not made yet. */
  readonly report: PhotoReport | null
}

export function usePhotoBundle(draft: PhotoDraft): PhotoBundle {
  const { photo, id, name, category, kept } = draft
  const worker = useRef<PhotoWorker | null>(null)
  const made = useRef<{ readonly of: string; readonly built: Promise<BuiltTemplate> } | null>(null)
  const [last, setLast] = useState<{ readonly of: string; readonly report: PhotoReport } | null>(null)
  const drawing = drawingOfDraft(draft)
  const details = { id, name: name.trim(), category: category.trim() }
  const of = JSON.stringify([details, drawing, kept])
  useEffect(
    () => () => {
      worker.current?.end()
      worker.current = null
      made.current = null
    },
    // A worker holds one photo.
    // biome-ignore lint/correctness/useExhaustiveDependencies: another photo ends the worker before it
    [photo],
  )
  const begin = (): Promise<BuiltTemplate> => {
    worker.current ??= openPhotoWorker(photo)
    return worker.current.ask('build', { details, drawing, kept })
  }
  const build = async () => {
    if (made.current?.of !== of) made.current = { of, built: begin() }
    const { built } = made.current
    try {
      const { files, report } = await built
      setLast({ of, report })
      return files
    } catch (error) {
      if (made.current?.built === built) made.current = null
      throw error
    }
  }
  return { build, report: last?.of === of ? last.report : null }
}
