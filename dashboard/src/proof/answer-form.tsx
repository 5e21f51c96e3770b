/** The answer to the shop: hearts, a message, an approval. Nothing is sent before Send is pressed. */
import type { ProofAnswer, SharedProof } from '@vitrine/contract'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
import { announceUnseen } from '../components/announcer.tsx'
import { Check } from '../components/controls.tsx'
import { counted, formatMoment } from '../format.ts'
import { PlaceWatch } from '../scenes/place-watch.ts'
import { sha256 } from '../sha256.ts'
import { sendAnswer, sendFile } from './proof-api.ts'
import { type ShownScenes, useNotShown } from './shown-scenes.ts'

const WORD_CHARACTERS_MAX = 2000
const NAME_CHARACTERS_MAX = 100

const inWindow = new PlaceWatch('0px')

type AnswerFormProps = Pick<ProofAnswer, 'placements' | 'colors' | 'word' | 'name'> & {
  proof: SharedProof
  /** The customer's own artwork, if it is in the scenes. */
  own: File | null
  shown: ShownScenes
  hearts: readonly string[]
  onWord: (word: string) => void
  onName: (name: string) => void
}

type Sent = NonNullable<SharedProof['last_answer']> & { readonly withFile: boolean }

export function AnswerForm(props: AnswerFormProps) {
  const { proof, own, shown, hearts, word: typed, onWord, name: typedName, onName, placements, colors } = props
  const id = useId()
  const form = useRef<HTMLFormElement>(null)
  const notShown = useNotShown(
    shown,
    proof.scenes.map(scene => scene.id),
  )
  const [withFile, setWithFile] = useState(true)
  const [isApproved, setApproved] = useState(false)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<Error | null>(null)
  const [sent, setSent] = useState<Sent | null>(null)
  // An answer that arrived without its file is not sent again; only the file is.
  const given = useRef<{ readonly id: string; readonly text: string } | null>(null)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending || (isApproved && notShown > 0)) return
    const word = typed.trim()
    const name = typedName.trim()
    setSending(true)
    setFailure(null)
    try {
      const seen =
        own === null
          ? proof.artwork && { name: proof.artwork.name, sha256: proof.artwork.sha256, is_own: false }
          : { name: own.name, sha256: await sha256(await own.arrayBuffer()), is_own: true }
      const answer = { hearts: [...hearts], word, name, is_approved: isApproved, placements, colors, seen }
      const text = JSON.stringify(answer)
      if (given.current?.text !== text) given.current = { id: await sendAnswer(answer), text }
      if (own !== null && withFile) await sendFile(given.current.id, own)
      given.current = null
      setSent({ at: new Date().toISOString(), is_approved: isApproved, name, withFile: own !== null && withFile })
      setApproved(false)
      onWord('')
      announceUnseen(`Sent to ${proof.shop_name}.`)
    } catch (error) {
      setFailure(asError(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <form
      ref={form}
      className="panel shared-answer"
      aria-labelledby={`${id}-title`}
      onSubmit={event => void send(event)}
    >
      <h2 id={`${id}-title`}>Answer {proof.shop_name}</h2>
      <p className="quiet">
        {hearts.length === 0
          ? 'Mark the scenes that you like with a heart.'
          : `${hearts.length} of ${counted(proof.scenes.length, 'scene')} with a heart.`}
      </p>
      <div className="field">
        <label htmlFor={`${id}-name`}>Your name{isApproved ? '' : ' (optional)'}</label>
        <input
          id={`${id}-name`}
          autoComplete="name"
          required={isApproved}
          maxLength={NAME_CHARACTERS_MAX}
          value={typedName}
          onChange={({ currentTarget: { value } }) => onName(value)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-word`}>Message (optional)</label>
        <textarea
          id={`${id}-word`}
          rows={3}
          maxLength={WORD_CHARACTERS_MAX}
          value={typed}
          onChange={({ currentTarget: { value } }) => onWord(value)}
        />
      </div>
      <Check checked={isApproved} disabled={notShown > 0} aria-describedby={`${id}-shown`} onChecked={setApproved}>
        I approve it as shown here
      </Check>
      {/* Always present, so that screen readers announce its changing text. */}
      <p id={`${id}-shown`} className="quiet" role="status">
        {notShown > 0 && `${notShown} of ${counted(proof.scenes.length, 'scene')} still to be shown.`}
      </p>
      {own !== null && (
        <Check checked={withFile} onChecked={setWithFile}>
          Send my file “{own.name}” too
        </Check>
      )}
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure.message}
        </p>
      )}
      {sent !== null && (
        <p role="status" className="notice">
          {sent.is_approved ? 'Your approval' : 'Your answer'}
          {sent.withFile && ' and your file'} went to {proof.shop_name} on {formatMoment(sent.at)}. You may answer
          again.
        </p>
      )}
      <button type="submit" className="button button-primary" aria-busy={isSending}>
        {isSending ? 'Sending…' : isApproved ? 'Approve and send' : 'Send'}
      </button>
      <AnswerBar form={form} proof={proof} hearts={hearts.length} />
    </form>
  )
}

type AnswerBarProps = { form: { readonly current: HTMLElement | null }; proof: SharedProof; hearts: number }

/** Links to the form below all scenes; hidden while the form is visible. */
function AnswerBar({ form, proof, hearts }: AnswerBarProps) {
  const [isFormSeen, setFormSeen] = useState(true)
  useEffect(() => {
    if (form.current === null) return
    return inWindow.watch(form.current, ({ isIntersecting }) => setFormSeen(isIntersecting))
  }, [form])
  if (isFormSeen) return null
  return (
    <div className="answer-bar">
      <button
        type="button"
        className="button button-primary"
        onClick={() => {
          form.current?.scrollIntoView({ block: 'start' })
          form.current?.querySelector('input')?.focus({ preventScroll: true })
        }}
      >
        Answer {proof.shop_name}
      </button>
      {hearts > 0 && <span>♥ {hearts}</span>}
    </div>
  )
}

/** The previous answer through this link, possibly from another recipient. */
export function LastAnswer({ answer }: { answer: NonNullable<SharedProof['last_answer']> }) {
  const { at, is_approved, name } = answer
  return (
    <div className="notice">
      <p>
        <strong>{is_approved ? 'Approved' : 'Answered'}</strong>
        {name !== '' && ` by ${name}`} on <time dateTime={at}>{formatMoment(at)}</time>.
      </p>
    </div>
  )
}
