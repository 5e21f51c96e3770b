/** One answer to a proof: who sent it, what it says, and each scene as the customer saw it. */
import { Link, useNavigate } from '@tanstack/react-router'
import type { GivenAnswer as Answer, GivenAnswerList, ProofResource } from '@vitrine/contract'
import { centredCover } from '@vitrine/engine'
import { Button } from '../components/controls.tsx'
import { Failure } from '../components/states.tsx'
import { useWork } from '../components/use-action.ts'
import { formatMoment, formatMomentUtc } from '../format.ts'
import { placementInWords } from '../placing/placement-in-words.ts'
import { loadLinkArtwork } from '../queries/links-query.ts'
import { chooseArtworks } from '../scenes/choose-artworks.ts'
import { useSession } from '../session/session.ts'
import { isAlike } from '../visit/gallery-placing.ts'
import { download } from '../visit/mockups.ts'
import { saveGallery } from '../visit/saved-work.ts'
import { AnsweredScene } from './answered-scene.tsx'

type GivenAnswerProps = {
  proof: ProofResource
  sent: GivenAnswerList['sent']
  answer: Answer
  isNew: boolean
}

export function GivenAnswer({ proof, sent, answer, isNew }: GivenAnswerProps) {
  const { account } = useSession()
  const navigate = useNavigate()
  const { artwork, seen, placements, colors, hearts } = answer
  const file = fileOf(answer, proof)
  const open = useWork(async () => {
    const loaded = file === null ? null : await loadLinkArtwork(proof.id, file.answerId, file.name)
    await saveGallery(account.id, { placing: { byKind: {}, own: placements }, colors, picks: hearts })
    if (loaded !== null) await chooseArtworks(account.id, [loaded])
    // Without a proof in its address, the gallery opens what was saved.
    await navigate({ to: '/templates', search: {} })
  })
  const save = useWork(async () => {
    if (artwork !== null) download(await loadLinkArtwork(proof.id, answer.id, artwork.name), artwork.name)
  })
  const error = open.error ?? save.error
  const isOwn = seen?.is_own === true
  const moved = movedScenes(answer, proof, sent)
  return (
    <article className="stack-small">
      <p>
        <strong>{answer.is_approved ? 'Approved' : 'Answered'}</strong>
        {answer.name !== '' && ` by ${answer.name}`} ·{' '}
        <time dateTime={answer.at} title={formatMomentUtc(answer.at)}>
          {formatMoment(answer.at)}
        </time>
        {isNew && <span className="answer-new">New</span>}
      </p>
      {answer.word !== '' && <blockquote className="breaking">{answer.word}</blockquote>}
      <p className="breaking">
        {seen === null
          ? 'Without a picture in the scenes.'
          : isOwn
            ? `With the customer’s file: ${seen.name}${artwork === null ? '. It was not sent.' : ''}`
            : `With your file: ${seen.name}`}
      </p>
      <ul className="answered" aria-label={answer.is_approved ? 'Scenes as approved' : 'Scenes as seen'}>
        {proof.scenes.map(scene => (
          <li key={scene.id}>
            <AnsweredScene
              proofId={proof.id}
              scene={scene}
              artwork={isOwn && artwork === null ? 'not-sent' : file}
              placement={placements[scene.id] ?? centredCover}
              colors={colors[scene.id] ?? {}}
              isAsSent={!isOwn && isSceneAsSent(scene.id, answer, sent)}
              isHearted={hearts.includes(scene.id)}
            />
          </li>
        ))}
      </ul>
      {seen !== null && (
        <details>
          <summary>Details</summary>
          <dl className="answer-facts">
            <dt>SHA-256 of the file</dt>
            <dd className="breaking">
              <code>{seen.sha256}</code>
            </dd>
            {moved.map(({ id, name, words }) => (
              <div key={id} className="answer-fact">
                <dt>
                  <Link to="/templates/$id" params={{ id }}>
                    {name}
                  </Link>
                </dt>
                <dd>{words}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {error !== null && <Failure error={error} />}
      <div className="row">
        <Button className="button-small" onClick={() => void open.run()}>
          Open in my gallery
        </Button>
        {artwork !== null && (
          <Button className="button-small" onClick={() => void save.run()}>
            Download {artwork.name}
          </Button>
        )}
      </div>
    </article>
  )
}

/** The file that was in the scenes; null if there was none or it was not sent. */
function fileOf({ id, artwork, seen }: Answer, proof: ProofResource): { answerId: string | null; name: string } | null {
  if (artwork !== null) return { answerId: id, name: artwork.name }
  return proof.artwork !== null && seen?.is_own === false ? { answerId: null, name: proof.artwork.name } : null
}

type Sent = GivenAnswerList['sent']

const isSceneAsSent = (id: string, { placements, colors }: Answer, sent: Sent): boolean =>
  isAlike(placements[id] ?? centredCover, sent.placements[id] ?? centredCover) &&
  isAlike(colors[id] ?? {}, sent.colors[id] ?? {})

/** The scenes in which the customer has changed the placement. */
function movedScenes({ placements }: Answer, { scenes }: ProofResource, sent: Sent) {
  return scenes.flatMap(({ id, name }) => {
    const placement = placements[id] ?? centredCover
    const isMoved = !isAlike(placement, sent.placements[id] ?? centredCover)
    return isMoved ? [{ id, name, words: placementInWords(placement) }] : []
  })
}
