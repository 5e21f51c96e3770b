/** The first page: next steps, the latest figures and the pictures. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ButtonLink, Snippet } from '../components/controls.tsx'
import { DocsLine } from '../components/docs-line.tsx'
import { Loading } from '../components/states.tsx'
import { formatCents, formatCount } from '../format.ts'
import { creditsQuery } from '../queries/credits-query.ts'
import { keysQuery } from '../queries/keys-query.ts'
import { templatesQuery } from '../queries/templates-query.ts'
import { useMasonry } from '../scenes/use-masonry.ts'
import { useSession } from '../session/session.ts'
import { curlSnippet } from '../snippets.ts'
import { ChosenArtwork } from './chosen-artwork.tsx'
import { FirstSteps } from './first-steps.tsx'
import { TemplateCard } from './template-card.tsx'

export function Overview() {
  const { service } = useSession()
  const keys = useQuery(keysQuery())
  const credits = useInfiniteQuery(creditsQuery)
  const templates = useInfiniteQuery(templatesQuery({}))
  const balance = credits.data?.pages[0]?.spendable_credits
  const [first] = templates.data?.pages ?? []
  const shown = useMemo(() => first?.templates.slice(0, 8) ?? [], [first])
  const masonry = useMasonry(shown)
  const isNew = keys.data?.in_all === 0
  return (
    <div className="stack">
      <header className="page-head">
        <h1>{isNew ? 'Your first mockup' : 'Overview'}</h1>
        <ButtonLink look="primary" to="/create">
          Create mockups
        </ButtonLink>
      </header>
      <FirstSteps />
      <ChosenArtwork />
      <section aria-label="Templates">
        <Loading query={templates} rows={2} height={240} />
        <ul className="gallery masonry" ref={masonry.ref} style={masonry.style}>
          {shown.map((template, index) => (
            <li key={template.id} style={masonry.items[index]}>
              <TemplateCard template={template} />
            </li>
          ))}
        </ul>
      </section>
      <dl className="figures">
        <div className="figure panel">
          <dt>Balance</dt>
          <dd>{balance === undefined ? '…' : formatCount(balance)}</dd>
          <dd className="quiet small">{balance === undefined ? '' : formatCents(balance)}</dd>
        </div>
        <div className="figure panel">
          <dt>Active keys</dt>
          <dd>{keys.data === undefined ? '…' : formatCount(keys.data.active)}</dd>
        </div>
      </dl>
      {!isNew && (
        <section className="stack" aria-labelledby="from-a-program">
          <h2 id="from-a-program">From a program</h2>
          <Snippet
            code={curlSnippet({
              baseUrl: service.base_url,
              ...(shown[0] === undefined ? {} : { templateId: shown[0].id }),
            })}
            what="the command"
          />
          <DocsLine />
        </section>
      )}
    </div>
  )
}
