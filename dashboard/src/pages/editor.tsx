/** Makes a template from a photo, or edits one: loads the draft and opens the editor on it. */
import '../editor/editor.css'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { asError } from '../as-error.ts'
import { useDroppedFiles, useFilesDragged } from '../components/file-drops.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { PointerWords } from '../components/pointer-words.tsx'
import { Failure, Skeleton } from '../components/states.tsx'
import { WayBack } from '../components/way-back.tsx'
import type { Draft, History } from '../editor/draft.ts'
import { loadTemplateDraft } from '../editor/draft-of-bundle.ts'
import { draftKeyOf, loadDraft } from '../editor/draft-store.ts'
import { EditDraft } from '../editor/edit-draft.tsx'
import { PICTURE_TYPES } from '../editor/mask-tools.tsx'
import { draftOfPhoto } from '../editor/open-photo.ts'
import { historyOf } from '../history.ts'
import { queryClient, useSession } from '../session/session.ts'
import { TemplateFailure } from './template-failure.tsx'
import { templateQuery } from './templates-query.ts'

type Start =
  | { readonly kind: 'loading' }
  | { readonly kind: 'choose' }
  | { readonly kind: 'open'; readonly history: History; readonly notice: string | null }
  | { readonly kind: 'failed'; readonly error: Error }

const FROM_BEFORE = 'This is your unsaved work from before, which this browser stored.'

/** `/templates/new` */
export function Editor() {
  const { account } = useSession()
  const storeKey = draftKeyOf(account.id, 'new')
  const [start, setStart] = useState<Start>({ kind: 'loading' })
  useEffect(() => {
    loadDraft(storeKey).then(
      history => setStart(history === undefined ? { kind: 'choose' } : { kind: 'open', history, notice: FROM_BEFORE }),
      () => setStart({ kind: 'choose' }),
    )
  }, [storeKey])
  if (start.kind === 'loading') return <Skeleton rows={4} />
  if (start.kind === 'failed') return <Failure error={start.error} />
  if (start.kind === 'choose')
    return <ChoosePhoto onDraft={(draft, notice) => setStart({ kind: 'open', history: historyOf(draft), notice })} />
  return (
    <EditDraft
      initial={start.history}
      notice={start.notice}
      storeKey={storeKey}
      onDiscard={() => setStart({ kind: 'choose' })}
    />
  )
}

/** `/templates/:id/edit`: one's own template, or a copy of another's. */
export function EditTemplate() {
  const { id } = useParams({ from: '/signed-in/templates/$id/edit' })
  const { account } = useSession()
  const navigate = useNavigate()
  const storeKey = draftKeyOf(account.id, id)
  const [start, setStart] = useState<Start>({ kind: 'loading' })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let current = true
    const load = async (): Promise<Start> => {
      const kept = await loadDraft(storeKey).catch(() => undefined)
      if (kept !== undefined) return { kind: 'open', history: kept, notice: FROM_BEFORE }
      const { editable, owner } = await queryClient.fetchQuery(templateQuery(id))
      const draft = await loadTemplateDraft(id, { asCopy: !editable })
      return {
        kind: 'open',
        history: historyOf({ ...draft, shared: editable && owner === 'shared' }),
        notice: editable ? null : 'This becomes a template of your own; the one that it is made from stays as it is.',
      }
    }
    load().then(
      loaded => current && setStart(loaded),
      (failure: unknown) => current && setStart({ kind: 'failed', error: asError(failure) }),
    )
    return () => {
      current = false
    }
  }, [id, storeKey, attempt])
  if (start.kind === 'failed')
    return (
      <TemplateFailure
        id={id}
        error={start.error}
        onRetry={() => {
          setStart({ kind: 'loading' })
          setAttempt(attempt + 1)
        }}
      />
    )
  if (start.kind !== 'open') return <Skeleton rows={4} />
  return (
    <EditDraft
      initial={start.history}
      notice={start.notice}
      storeKey={storeKey}
      onDiscard={() => void navigate({ to: '/templates/$id', params: { id } })}
    />
  )
}

function ChoosePhoto({ onDraft }: { onDraft: (draft: Draft, notice: string | null) => void }) {
  const [error, setError] = useState<Error | null>(null)
  const isDragged = useFilesDragged()
  const open = async (photo: File | undefined) => {
    if (photo === undefined) return
    setError(null)
    try {
      const { draft, notice } = await draftOfPhoto(photo)
      onDraft(draft, notice)
    } catch (failure) {
      setError(asError(failure))
    }
  }
  useDroppedFiles('pictures', ([photo]) => void open(photo))
  return (
    <>
      <WayBack to="/templates">Templates</WayBack>
      <header className="page-head">
        <h1>New template</h1>
      </header>
      <div className={isDragged ? 'empty empty-over' : 'empty'}>
        <h2>Start with a photo</h2>
        <p>
          <PointerWords fine="Drop or paste" coarse="Choose" /> a picture of a room, a frame or a product: 2,000 pixels
          wide or more, JPEG, PNG or WebP. It stays on this device until you save.
        </p>
        <FilePicker label="Photo" accept={PICTURE_TYPES} look="primary" onFile={photo => void open(photo)}>
          Choose a photo
        </FilePicker>
        {error !== null && <Failure error={error} />}
      </div>
    </>
  )
}
