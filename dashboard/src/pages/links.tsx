/** Proof links sent to customers: who opened them, what they answered, and ending them. */
import './links.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ProofResource } from '@vitrine/contract'
import { useEffect, useState } from 'react'
import { act } from '../api.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announce } from '../components/announcer.tsx'
import { Button, ButtonLink, CopyButton, SmallButton } from '../components/controls.tsx'
import { Page } from '../components/page.tsx'
import { Empty, Loading } from '../components/states.tsx'
import { counted, formatCount, formatMoment } from '../format.ts'
import { answersQuery, linksQuery, unreadQuery } from '../queries/links-query.ts'
import { queryClient } from '../session/session.ts'
import { GivenAnswer } from './given-answer.tsx'

const states = { open: 'Open', expired: 'Expired', revoked: 'Ended' } as const

export function Links() {
  const links = useInfiniteQuery(linksQuery)
  const proofs = links.data?.pages.flatMap(page => page.proofs)
  return (
    <Page title="Proofs">
      <div className="stack">
        <Loading query={links} rows={2} height={180} />
        {proofs?.length === 0 && (
          <Empty title="No proofs yet">
            <p>
              Put your artwork into the scenes, pick some, and press “Send to a customer”. Customers see the scenes
              without an account, try a picture of their own, and approve.
            </p>
            <ButtonLink look="primary" to="/templates">
              Choose scenes
            </ButtonLink>
          </Empty>
        )}
        {proofs?.map(proof => (
          <SentLink key={proof.id} proof={proof} />
        ))}
        {links.hasNextPage && (
          <Button disabled={links.isFetchingNextPage} onClick={() => void links.fetchNextPage()}>
            Show more proofs
          </Button>
        )}
      </div>
    </Page>
  )
}

function SentLink({ proof }: { proof: ProofResource }) {
  const [asks, setAsks] = useState<'revoke' | 'remove' | null>(null)
  const end = async () => {
    if (asks === null) return
    await act(`/dashboard/api/proofs/${proof.id}/${asks}`)
    await queryClient.invalidateQueries(linksQuery)
    announce(asks === 'revoke' ? `“${proof.title}” has ended.` : `Removed “${proof.title}”.`)
    setAsks(null)
  }
  return (
    <section className="panel stack-form" aria-label={proof.title}>
      <div className="link-head">
        <h2 className="breaking">{proof.title}</h2>
        <div className="row">
          {proof.state === 'open' && (
            <>
              <CopyButton text={proof.url} what={`the link of “${proof.title}”`} label="link" />
              <SmallButton label="End" of={`the link “${proof.title}”`} onClick={() => setAsks('revoke')} />
            </>
          )}
          <SmallButton label="Remove" of={`the link “${proof.title}”`} onClick={() => setAsks('remove')} />
        </div>
      </div>
      <p className="quiet">
        {states[proof.state]} · {proof.shop_name} · made {formatMoment(proof.created_at)}
        {proof.state !== 'revoked' &&
          ` · ${proof.state === 'open' ? 'until' : 'ended'} ${formatMoment(proof.expires_at)}`}{' '}
        · opened {proof.visits === 1 ? 'once' : `${formatCount(proof.visits)} times`} ·{' '}
        {counted(proof.scenes.length, 'scene')}
      </p>
      {proof.answer_count === 0 ? <p>No answer yet.</p> : <Answers proof={proof} />}
      {asks !== null && (
        <ActionDialog
          title={asks === 'revoke' ? `End “${proof.title}”?` : `Remove “${proof.title}”?`}
          label={asks === 'revoke' ? 'End the link' : 'Remove it'}
          action={end}
          onClose={() => setAsks(null)}
          isDestructive
        >
          <p>
            {asks === 'revoke'
              ? 'It stops working at once. Its answers stay here.'
              : 'The link ends, and its answers and the files that came with them are deleted.'}
          </p>
        </ActionDialog>
      )}
    </section>
  )
}

function Answers({ proof }: { proof: ProofResource }) {
  const list = useInfiniteQuery(answersQuery(proof.id))
  const answers = list.data?.pages.flatMap(page => page.answers) ?? []
  const sent = list.data?.pages[0]?.sent
  // Fixed when the page is opened, so that answers marked as new stay so while they are read.
  const [unread] = useState(proof.unread_count)
  const isLoaded = list.isSuccess
  useEffect(() => {
    if (!isLoaded || proof.unread_count === 0) return
    act(`/dashboard/api/proofs/${proof.id}/read`, { answer_count: proof.answer_count }).then(
      () => queryClient.invalidateQueries(unreadQuery),
      () => undefined,
    )
  }, [isLoaded, proof.id, proof.unread_count, proof.answer_count])
  return (
    <>
      <Loading query={list} rows={1} height={120} />
      <ol className="answers" aria-label={`Answers to “${proof.title}”`}>
        {sent !== undefined &&
          answers.map((answer, index) => (
            <li key={answer.id}>
              <GivenAnswer proof={proof} sent={sent} answer={answer} isNew={index < unread} />
            </li>
          ))}
      </ol>
      {list.hasNextPage && (
        <Button className="button-small" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show more answers ({formatCount(answers.length)} of {formatCount(proof.answer_count)})
        </Button>
      )}
    </>
  )
}
