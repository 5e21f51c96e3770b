/** The mockups of the last day, as this browser keeps them: seen, downloaded again, as one zip. */
import '../wall/wall.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { announce } from '../components/announcer.tsx'
import { Button, ButtonLink } from '../components/controls.tsx'
import { Empty, Failure, Skeleton } from '../components/states.tsx'
import { formatCount, formatMoment } from '../format.ts'
import { forgetMockup, type KeptMockup, keepMockup, keptMockupId, keptMockupsQuery } from '../kept-work.ts'
import { download } from '../mockups.ts'
import { useSession } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { RunPanel } from '../wall/run-panel.tsx'
import { ZipButtons } from '../wall/zip-buttons.tsx'

/** Pictures that are shown at first, and more with each *Show more*: a thousand would fill the memory. */
const SHOWN_STEP = 60

export function Mockups() {
  const { account } = useSession()
  const kept = useQuery(keptMockupsQuery(account.id))
  const mockups = kept.data ?? []
  const [shownCount, setShownCount] = useState(SHOWN_STEP)
  const forget = async (mockup: KeptMockup) => {
    await forgetMockup(account.id, mockup)
    announce(`Removed ${mockup.name}.`, { undo: () => keepMockup(account.id, mockup) })
  }
  return (
    <>
      <header className="page-head">
        <h1>My mockups</h1>
        <div className="row">
          <ZipButtons mockups={mockups} />
        </div>
      </header>
      <div className="stack">
        <RunPanel kept={mockups} />
        {kept.isPending && <Skeleton rows={2} height={240} />}
        {kept.isError && <Failure error={kept.error} onRetry={() => void kept.refetch()} />}
        {kept.data !== undefined && mockups.length === 0 && (
          <Empty title="No mockups today">
            <p>What you render is saved here for a day, in this browser. The same picture is not charged again.</p>
            <ButtonLink look="primary" to="/templates">
              Choose scenes
            </ButtonLink>
          </Empty>
        )}
        {mockups.length > 0 && (
          <p className="quiet">Paid for, and saved in this browser for a day: the same picture is not charged again.</p>
        )}
        <ul className="mockup-list">
          {mockups.slice(0, shownCount).map(mockup => (
            <li key={keptMockupId(mockup)}>
              <Mockup mockup={mockup} onForget={() => void forget(mockup)} />
            </li>
          ))}
        </ul>
        {mockups.length > shownCount && (
          <div>
            <Button onClick={() => setShownCount(shownCount + SHOWN_STEP)}>
              Show more of {formatCount(mockups.length)} mockups
            </Button>
          </div>
        )}
      </div>
    </>
  )
}

function Mockup({ mockup: { blob, name, madeAtMs }, onForget }: { mockup: KeptMockup; onForget: () => void }) {
  const url = useObjectUrl(blob)
  return (
    <>
      {url !== null && <img className="picture" src={url} alt={name} loading="lazy" decoding="async" />}
      <span>
        {name} <span className="quiet">· {formatMoment(new Date(madeAtMs).toISOString())}</span>
      </span>
      <div className="row">
        <Button className="button-small" onClick={() => download(blob, name)}>
          Download<span className="visually-hidden"> {name}</span>
        </Button>
        <Button className="button-small" onClick={onForget}>
          Remove<span className="visually-hidden"> {name}</span>
        </Button>
      </div>
    </>
  )
}
