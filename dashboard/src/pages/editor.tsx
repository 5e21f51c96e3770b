/** Creates a template from a photo, or edits one: loads the draft and opens it in the editor. */
import '../editor/editor.css'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { asError } from '../as-error.ts'
import { Button } from '../components/controls.tsx'
import { useDroppedFiles, useFilesDragged } from '../components/file-drops.tsx'
import { FilePicker } from '../components/file-picker.tsx'
import { useStepFocus } from '../components/page-title.ts'
import { PointerWords } from '../components/pointer-words.tsx'
import { Failure, Skeleton } from '../components/states.tsx'
import { WayBack } from '../components/way-back.tsx'
import { loadTemplateDraft } from '../editor/draft-of-bundle.ts'
import { draftKeyOf, isOnPhoto, loadDraft, type StoredHistory } from '../editor/draft-store.ts'
import { EditDraft } from '../editor/edit-draft.tsx'
import { draftOfPhoto } from '../editor/open-photo.ts'
import { EditPhoto } from '../editor/photo/edit-photo.tsx'
import { asArtworkFile, decodeInBrowser, newPhotoDraft, openProductPhoto } from '../editor/photo/open-product-photo.ts'
import type { ProductKind } from '../editor/photo/photo-draft.ts'
import { WhatIsIt } from '../editor/photo/what-is-it.tsx'
import { historyOf } from '../history.ts'
import { templateQuery } from '../queries/templates-query.ts'
import { queryClient, useSession } from '../session/session.ts'
import { TemplateFailure } from './template-failure.tsx'

type Start =
  | { readonly kind: 'loading' }
  | { readonly kind: 'choose' }
  | { readonly kind: 'open'; readonly history: StoredHistory; readonly notice: string | null }
  | { readonly kind: 'failed'; readonly error: Error }

const FROM_BEFORE = 'This is your earlier unsaved work, which this browser stored.'

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
  useStepFocus(start.kind === 'loading' ? null : start.kind)
  if (start.kind === 'loading') return <Skeleton rows={4} />
  if (start.kind === 'failed') return <Failure error={start.error} />
  if (start.kind === 'choose')
    return <ChoosePhoto onDraft={(history, notice) => setStart({ kind: 'open', history, notice })} />
  return <OpenEditor {...start} storeKey={storeKey} onDiscard={() => setStart({ kind: 'choose' })} />
}

/** `/templates/:id/edit`: the account's own template, or a copy of another. */
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
      const shared = editable && owner === 'shared'
      return {
        kind: 'open',
        history: 'from' in draft ? historyOf({ ...draft, shared }) : historyOf({ ...draft, shared }),
        notice: editable ? null : 'You are editing a copy; the original template stays unchanged.',
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
    <OpenEditor
      {...start}
      storeKey={storeKey}
      onDiscard={() => void navigate({ to: '/templates/$id', params: { id } })}
    />
  )
}

type OpenEditorProps = Extract<Start, { kind: 'open' }> & { storeKey: string; onDiscard: () => void }

function OpenEditor({ history, ...rest }: OpenEditorProps) {
  if (isOnPhoto(history)) return <EditPhoto initial={history} {...rest} />
  return <EditDraft initial={history} {...rest} />
}

/** What a browser may be able to decode; some have no type for HEIC. */
const PHOTO_TYPES = 'image/*,.heic,.heif,.avif'

type ChoosePhotoProps = { onDraft: (history: StoredHistory, notice: string | null) => void }

function ChoosePhoto({ onDraft }: ChoosePhotoProps) {
  const [error, setError] = useState<Error | null>(null)
  const [photo, setPhoto] = useState<File | null>(null)
  const [isOpening, setOpening] = useState(false)
  const isDragged = useFilesDragged()
  useStepFocus(photo === null ? 'photo' : 'kind')
  const choose = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    setError(null)
    try {
      const bitmap = await decodeInBrowser(chosen)
      bitmap.close()
      setPhoto(chosen)
    } catch (failure) {
      setError(asError(failure))
    }
  }
  const open = async (chosen: File, kind: ProductKind | null) => {
    setError(null)
    setOpening(true)
    try {
      if (kind === null) {
        const { draft, notice } = await draftOfPhoto(await asArtworkFile(chosen))
        onDraft(historyOf(draft), notice)
      } else {
        const opened = await openProductPhoto(chosen)
        onDraft(historyOf(newPhotoDraft(opened, chosen.name, kind)), opened.notice)
      }
    } catch (failure) {
      setError(asError(failure))
      setOpening(false)
    }
  }
  useDroppedFiles('pictures', ([dropped]) => void choose(dropped))
  useDroppedFiles('photos', ([dropped]) => void choose(dropped))
  if (photo !== null)
    return (
      <>
        <WayBack to="/templates">Templates</WayBack>
        <header className="page-head">
          <h1>New template</h1>
          <Button disabled={isOpening} onClick={() => setPhoto(null)}>
            Another photo
          </Button>
        </header>
        {error !== null && <Failure error={error} />}
        <WhatIsIt
          photo={photo}
          isOpening={isOpening}
          onKind={kind => void open(photo, kind)}
          onByHand={() => void open(photo, null)}
        />
      </>
    )
  return (
    <>
      <WayBack to="/templates">Templates</WayBack>
      <header className="page-head">
        <h1>New template</h1>
      </header>
      <div className={isDragged ? 'empty empty-over' : 'empty'}>
        <h2>Start with a photo</h2>
        <p>
          <PointerWords fine="Drop or paste" coarse="Choose" /> a picture of a product, a frame or a room: 2,000 pixels
          wide or more. It stays on this device until you save.
        </p>
        <FilePicker label="Photo" accept={PHOTO_TYPES} look="primary" onFile={file => void choose(file)}>
          Choose a photo
        </FilePicker>
        {error !== null && <Failure error={error} />}
      </div>
    </>
  )
}
