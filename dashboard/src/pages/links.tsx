/** Links that were sent to customers: who looked, what they answered, and an end to each. */
import './links.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { GivenAnswer as Answer, WallResource } from '@vitrine/contract'
import { Fragment, useState } from 'react'
import { act } from '../api.ts'
import { announce } from '../components/announcer.tsx'
import { chooseArtworks } from '../components/chosen-artwork.tsx'
import { Button, ButtonLink, CopyButton } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Empty, Failure, Skeleton } from '../components/states.tsx'
import { useAction } from '../components/use-action.ts'
import { formatCount, formatMoment, formatMomentUtc } from '../format.ts'
import { keepWall } from '../kept-work.ts'
import { download } from '../mockups.ts'
import { placementInWords } from '../placing/placement-in-words.ts'
import { queryClient, useSession } from '../session/session.ts'
import { answersQuery, linksQuery, loadLinkArtwork } from './links-query.ts'

const states = { open: 'Open', expired: 'Expired', revoked: 'Ended' } as const

export function Links() {
  const links = useInfiniteQuery(linksQuery)
  const walls = links.data?.pages.flatMap(page => page.walls)
  return (
    <>
      <header className="page-head">
        <h1>Links</h1>
      </header>
      <div className="stack">
        {links.isPending && <Skeleton rows={2} height={180} />}
        {links.isError && <Failure error={links.error} onRetry={() => void links.refetch()} />}
        {walls?.length === 0 && (
          <Empty title="No links yet">
            <p>
              Put your artwork into the scenes, pick some, and press “Send to a customer”. They see the scenes without
              an account, try a picture of their own, and approve.
            </p>
            <ButtonLink look="primary" to="/templates">
              Choose scenes
            </ButtonLink>
          </Empty>
        )}
        {walls?.map(wall => (
          <SentLink key={wall.id} wall={wall} />
        ))}
        {links.hasNextPage && (
          <Button disabled={links.isFetchingNextPage} onClick={() => void links.fetchNextPage()}>
            Show more links
          </Button>
        )}
      </div>
    </>
  )
}

function SentLink({ wall }: { wall: WallResource }) {
  const [asks, setAsks] = useState<'revoke' | 'remove' | null>(null)
  const { error, run } = useAction(async () => {
    if (asks === null) return
    await act(`/dashboard/api/walls/${wall.id}/${asks}`)
    await queryClient.invalidateQueries(linksQuery)
    announce(asks === 'revoke' ? `“${wall.title}” has ended.` : `Removed “${wall.title}”.`)
    setAsks(null)
  })
  return (
    <section className="panel stack-form" aria-label={wall.title}>
      <div className="link-head">
        <h2 className="breaking">{wall.title}</h2>
        <div className="row">
          {wall.state === 'open' && (
            <>
              <CopyButton text={wall.url} what={`the link of “${wall.title}”`} label="link" />
              <Button className="button-small" onClick={() => setAsks('revoke')}>
                End<span className="visually-hidden"> the link “{wall.title}”</span>
              </Button>
            </>
          )}
          <Button className="button-small" onClick={() => setAsks('remove')}>
            Remove<span className="visually-hidden"> the link “{wall.title}”</span>
          </Button>
        </div>
      </div>
      <p className="quiet">
        {states[wall.state]} · {wall.shop_name} · made {formatMoment(wall.created_at)}
        {wall.state !== 'revoked' && ` · ${wall.state === 'open' ? 'until' : 'ended'} ${formatMoment(wall.expires_at)}`}{' '}
        · opened {wall.visits === 1 ? 'once' : `${formatCount(wall.visits)} times`} · {formatCount(wall.scenes.length)}{' '}
        {wall.scenes.length === 1 ? 'scene' : 'scenes'}
      </p>
      {wall.answer_count === 0 ? <p>No answer yet.</p> : <Answers wall={wall} />}
      {asks !== null && (
        <Dialog
          title={asks === 'revoke' ? `End “${wall.title}”?` : `Remove “${wall.title}”?`}
          isDestructive
          onClose={() => setAsks(null)}
          actions={
            <Button look="danger" onClick={() => void run()}>
              {asks === 'revoke' ? 'End the link' : 'Remove it'}
            </Button>
          }
        >
          <p>
            {asks === 'revoke'
              ? 'It shows nothing any more, at once. Its answers stay here.'
              : 'The link ends, and its answers and the files that came with them are deleted.'}
          </p>
          {error !== null && <Failure error={error} />}
        </Dialog>
      )}
    </section>
  )
}

function Answers({ wall }: { wall: WallResource }) {
  const list = useInfiniteQuery(answersQuery(wall.id))
  const answers = list.data?.pages.flatMap(page => page.answers) ?? []
  return (
    <>
      {list.isPending && <Skeleton rows={1} height={120} />}
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      <ol className="answers" aria-label={`Answers to “${wall.title}”`}>
        {answers.map(answer => (
          <li key={answer.id}>
            <GivenAnswer wall={wall} answer={answer} />
          </li>
        ))}
      </ol>
      {list.hasNextPage && (
        <Button className="button-small" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more answers ({formatCount(answers.length)} of {formatCount(wall.answer_count)})
        </Button>
      )}
    </>
  )
}

function GivenAnswer({ wall, answer }: { wall: WallResource; answer: Answer }) {
  const { account } = useSession()
  const navigate = useNavigate()
  const { artwork, seen } = answer
  const load = () =>
    artwork !== null
      ? loadLinkArtwork(wall.id, answer.id, artwork.name)
      : wall.artwork && seen?.is_own === false
        ? loadLinkArtwork(wall.id, null, wall.artwork.name)
        : null
  const open = useAction(async () => {
    const file = await load()
    const { placements, colors, hearts } = answer
    await keepWall(account.id, { placing: { byKind: {}, own: placements }, colors, picks: hearts })
    if (file !== null) await chooseArtworks(account.id, [file])
    // An address without a wall opens what is kept.
    await navigate({ to: '/templates', search: {} })
  })
  const save = useAction(async () => {
    if (artwork !== null) download(await loadLinkArtwork(wall.id, answer.id, artwork.name), artwork.name)
  })
  const error = open.error ?? save.error
  return (
    <article className="stack-small">
      <p>
        <strong>{answer.is_approved ? 'Approved' : 'Answered'}</strong>{' '}
        <time dateTime={answer.at} title={formatMomentUtc(answer.at)}>
          {formatMoment(answer.at)}
        </time>
      </p>
      {answer.word !== '' && <blockquote className="breaking">{answer.word}</blockquote>}
      <dl className="answer-facts">
        {answer.hearts.length > 0 && (
          <>
            <dt>Likes</dt>
            <dd>
              {answer.hearts.map((id, index) => (
                <span key={id}>
                  {index > 0 && ', '}
                  <Link to="/templates/$id" params={{ id }}>
                    {wall.scenes.find(scene => scene.id === id)?.name ?? id}
                  </Link>
                </span>
              ))}
            </dd>
          </>
        )}
        <dt>Picture</dt>
        <dd className="breaking">
          {seen === null ? 'none in the scenes' : `${seen.is_own ? 'the customer’s own' : 'yours'}, ${seen.name}`}
          {seen !== null && (
            <span className="quiet">
              {' '}
              SHA-256 <code>{seen.sha256}</code>
            </span>
          )}
          {seen?.is_own === true && artwork === null && '. The file was not sent.'}
        </dd>
        <dt>Placement</dt>
        <dd>
          {placedAlike(answer, wall).map(({ words, names }) => (
            <p key={words}>
              {words} <span className="quiet">{names.join(', ')}</span>
            </p>
          ))}
        </dd>
        {coloredOf(answer, wall).map(({ name, words }) => (
          <Fragment key={name}>
            <dt>Colours</dt>
            <dd>
              {words} <span className="quiet">{name}</span>
            </dd>
          </Fragment>
        ))}
      </dl>
      {error !== null && <Failure error={error} />}
      <div className="row">
        <Button className="button-small" onClick={() => void open.run()}>
          Open on my wall
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

type NamedScenes = Pick<WallResource, 'scenes'>

/** Scenes by how the artwork lies in them. */
function placedAlike({ placements }: Answer, { scenes }: NamedScenes): { words: string; names: string[] }[] {
  const named = scenes.flatMap(({ id, name }) => {
    const placement = placements[id]
    return placement === undefined ? [] : [{ words: placementInWords(placement), name }]
  })
  const byWords = Map.groupBy(named, ({ words }) => words)
  return [...byWords].map(([words, alike]) => ({ words, names: alike.map(({ name }) => name) }))
}

function coloredOf({ colors }: Answer, { scenes }: NamedScenes): { name: string; words: string }[] {
  return scenes.flatMap(({ id, name }) => {
    const words = Object.entries(colors[id] ?? {}).map(([area, color]) => `${area} ${color}`)
    return words.length === 0 ? [] : [{ name, words: words.join(', ') }]
  })
}
