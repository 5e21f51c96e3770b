/** The answer to the shop: hearts, a word, an approval. Nothing leaves the browser before Send is pressed. */
import type { SharedWall, WallAnswer } from '@vitrine/contract'
import { type FormEvent, useId, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
import { announceUnseen } from '../components/announcer.tsx'
import { sha256 } from '../sha256.ts'
import { sendAnswer, sendFile } from './shared-wall-api.ts'

const WORD_CHARACTERS_MAX = 2000

type AnswerFormProps = Pick<WallAnswer, 'placements' | 'colors' | 'word'> & {
  wall: SharedWall
  /** What is in the scenes. */
  artwork: File | null
  /** The same, where it is the customer's. */
  own: File | null
  hearts: readonly string[]
  onWord: (word: string) => void
}

type Sent = { readonly isApproved: boolean; readonly withFile: boolean }

export function AnswerForm({ wall, artwork, own, hearts, word: typed, onWord, placements, colors }: AnswerFormProps) {
  const id = useId()
  const [withFile, setWithFile] = useState(true)
  const [isApproved, setApproved] = useState(false)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<Error | null>(null)
  const [sent, setSent] = useState<Sent | null>(null)
  // An answer that arrived without its file is not given again: the file follows.
  const given = useRef<{ readonly id: string; readonly text: string } | null>(null)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isSending) return
    const word = typed.trim()
    setSending(true)
    setFailure(null)
    try {
      const seen = artwork && {
        name: artwork.name,
        sha256: own === null && wall.artwork !== null ? wall.artwork.sha256 : await sha256(await artwork.arrayBuffer()),
        is_own: own !== null,
      }
      const answer = { hearts: [...hearts], word, is_approved: isApproved, placements, colors, seen }
      const text = JSON.stringify(answer)
      if (given.current?.text !== text) given.current = { id: await sendAnswer(answer), text }
      if (own !== null && withFile) await sendFile(given.current.id, own)
      given.current = null
      setSent({ isApproved, withFile: own !== null && withFile })
      announceUnseen(`Sent to ${wall.shop_name}.`)
    } catch (error) {
      setFailure(asError(error))
    } finally {
      setSending(false)
    }
  }
  return (
    <form className="panel shared-answer" aria-labelledby={`${id}-title`} onSubmit={event => void send(event)}>
      <h2 id={`${id}-title`}>Answer {wall.shop_name}</h2>
      <p className="quiet">
        {hearts.length === 0
          ? 'Mark the scenes that you like with a heart.'
          : `${hearts.length} of ${wall.scenes.length} ${wall.scenes.length === 1 ? 'scene' : 'scenes'} with a heart.`}
      </p>
      <div className="field">
        <label htmlFor={`${id}-word`}>A word to the shop</label>
        <textarea
          id={`${id}-word`}
          rows={3}
          maxLength={WORD_CHARACTERS_MAX}
          value={typed}
          onChange={({ currentTarget: { value } }) => onWord(value)}
        />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={isApproved}
          onChange={({ currentTarget: { checked } }) => setApproved(checked)}
        />
        I approve it as it is shown here
      </label>
      {own !== null && (
        <label className="check">
          <input
            type="checkbox"
            checked={withFile}
            onChange={({ currentTarget: { checked } }) => setWithFile(checked)}
          />
          Send my file “{own.name}” too
        </label>
      )}
      {failure !== null && (
        <p role="alert" className="field-error">
          {failure.message}
        </p>
      )}
      {sent !== null && (
        <p role="status" className="notice">
          {sent.isApproved ? 'Your approval' : 'Your answer'}
          {sent.withFile && ' and your file'} went to {wall.shop_name}. You may answer again.
        </p>
      )}
      <button type="submit" className="button button-primary" aria-busy={isSending}>
        {isSending ? 'Sending…' : isApproved ? 'Approve and send' : 'Send'}
      </button>
    </form>
  )
}
