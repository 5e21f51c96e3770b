/** Renders the mockup with the service for a credit, and lists those made today. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { type DashboardTemplate, outputFormats } from '@vitrine/contract'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError } from '../api.ts'
import { announce } from '../components/announcer.tsx'
import { Button, ButtonLink, SmallButton } from '../components/controls.tsx'
import { Failure } from '../components/states.tsx'
import { useWork } from '../components/use-action.ts'
import { formatCount, formatCredits } from '../format.ts'
import { creditsQuery } from '../queries/credits-query.ts'
import { queryClient, useSession } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { download, type MockupOutput, type MockupWork, mockupKeyOf, renderPatiently } from '../visit/mockups.ts'
import { OutputChoice } from '../visit/output-choice.tsx'
import { type StoredMockup, saveMockup, storedMockupId } from '../visit/saved-work.ts'
import { sendThumbnail } from '../visit/send-thumbnail.ts'

/** The others are behind a button. */
const MADE_TODAY_SHOWN = 3

/** The idempotency key of the current picture; null until it is computed. */
export function useMockupKey(template: DashboardTemplate, work: MockupWork): string | null {
  const [known, setKnown] = useState<{ of: readonly unknown[]; key: string } | null>(null)
  useEffect(() => {
    let current = true
    mockupKeyOf(template, work).then(
      key => current && setKnown({ of: [template, work], key }),
      () => undefined,
    )
    return () => {
      current = false
    }
  }, [template, work])
  return known?.of[0] === template && known.of[1] === work ? known.key : null
}

/** Mockups that are rendered singly form a run per day. */
const runOfDay = (): string => `single-${new Date().toISOString().slice(0, 10)}`

type RenderInFullProps = {
  template: DashboardTemplate
  work: MockupWork
  /** The name of the first artwork, after which the mockup is named. */
  artworkName: string
  /** Null until it is known what to render. */
  mockupKey: string | null
  mockup: StoredMockup | null
  onOutput: (output: MockupOutput) => void
}

export function RenderInFull({ template, work, artworkName, mockupKey: key, mockup, onOutput }: RenderInFullProps) {
  const { account } = useSession()
  const { output } = work
  // Requested, perhaps while the pointer is still moving: rendering begins once the placement is final.
  const [wanted, setWanted] = useState(false)
  const credits = useInfiniteQuery(creditsQuery)
  const balance = credits.data?.pages[0]?.spendable_credits
  const {
    error,
    isBusy: busy,
    run: render,
    forgetError,
  } = useWork(async (key: string) => {
    setWanted(false)
    const { extension } = outputFormats[output.format]
    const name = `${artworkName.replace(/\.\w+$/, '')}--${template.id}.${extension}`
    const note = { name, artwork: artworkName, run: runOfDay() }
    const once = { signal: new AbortController().signal, idempotencyKey: key, note }
    const { blob, creditsRemaining } = await renderPatiently(template.id, work, once)
    download(blob, name)
    announce(`The mockup is ready and was downloaded. ${formatCredits(creditsRemaining)} left.`)
    const mockup = { key, templateId: template.id, ...note, blob, madeAtMs: Date.now() }
    await saveMockup(account.id, mockup).catch(() =>
      announce('This browser cannot store the mockup: download it before you leave.'),
    )
    void sendThumbnail(mockup)
    await queryClient.invalidateQueries({ queryKey: ['stored-mockups'] })
    await queryClient.invalidateQueries({ queryKey: ['credits'] })
  })
  const begin = useEffectEvent(render)
  const startAnew = useEffectEvent(forgetError)
  useEffect(() => {
    if (key !== null) startAnew()
  }, [key])
  useEffect(() => {
    if (wanted && !busy && key !== null) void begin(key)
  }, [wanted, busy, key])
  const isRendering = busy || wanted
  return (
    <div className="panel stack">
      <OutputChoice output={output} onChange={onOutput} disabled={busy} />
      {mockup === null ? (
        <div className="stack-small">
          <Button look="primary" onClick={() => busy || setWanted(true)} aria-busy={isRendering}>
            {isRendering ? 'Rendering…' : 'Render in full for 1 credit'}
          </Button>
          {balance !== undefined && (
            <p className="quiet">
              You have {formatCredits(balance)}
              {balance > 0 && `; this leaves ${formatCount(balance - 1)}`}. Failed mockups cost nothing.
            </p>
          )}
        </div>
      ) : (
        <FinishedMockup mockup={mockup} balance={balance} />
      )}
      {error !== null && <Failure error={error} />}
      {error instanceof ApiError && error.status === 402 && (
        <p>
          <ButtonLink to="/credits" search={{ back: `/templates/${template.id}` }}>
            Get credits
          </ButtonLink>
        </p>
      )}
    </div>
  )
}

type FinishedMockupProps = { mockup: StoredMockup; balance: number | undefined }

function FinishedMockup({ mockup: { blob, name }, balance }: FinishedMockupProps) {
  return (
    <div className="stack-small" role="status">
      <Button look="primary" onClick={() => download(blob, name)}>
        Download<span className="visually-hidden"> {name}</span>
      </Button>
      <p className="quiet small breaking">{name}</p>
      <p className="quiet">
        Already paid: the same picture is not charged again today.{' '}
        {balance !== undefined && `${formatCredits(balance)} left.`}
      </p>
    </div>
  )
}

/** The template's other paid mockups, so that none is lost. */
export function MadeToday({ mockups }: { mockups: readonly StoredMockup[] }) {
  const [isWhole, setWhole] = useState(false)
  if (mockups.length === 0) return null
  const shown = isWhole ? mockups : mockups.slice(0, MADE_TODAY_SHOWN)
  return (
    <section className="panel stack-form" aria-labelledby="made-today">
      <h2 id="made-today" className="made-today">
        Made today
      </h2>
      <p className="quiet">Already paid, and saved in this browser for a day.</p>
      <ul className="frame-artworks">
        {shown.map(mockup => (
          <li key={storedMockupId(mockup)}>
            <MockupOfToday mockup={mockup} />
          </li>
        ))}
      </ul>
      {shown.length < mockups.length && (
        <Button className="button-small" onClick={() => setWhole(true)}>
          Show all {formatCount(mockups.length)}
        </Button>
      )}
    </section>
  )
}

function MockupOfToday({ mockup: { blob, name } }: { mockup: StoredMockup }) {
  const url = useObjectUrl(blob)
  return (
    <>
      {url !== null && <img src={url} alt="" loading="lazy" decoding="async" />}
      <span>{name}</span>
      <SmallButton label="Download" of={name} onClick={() => download(blob, name)} />
    </>
  )
}
