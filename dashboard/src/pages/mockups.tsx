/** The mockups of the last day, as this browser keeps them: seen, downloaded again, as one zip. */
import '../wall/wall.css'
import { useQuery } from '@tanstack/react-query'
import { announce } from '../components/announcer.tsx'
import { Button, ButtonLink } from '../components/controls.tsx'
import { Empty, Failure, Skeleton } from '../components/states.tsx'
import { formatCount, formatMoment } from '../format.ts'
import { forgetMockups, type KeptMockup, keepMockup, keptMockupsQuery } from '../kept-work.ts'
import { download } from '../mockups.ts'
import { useSession } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { zipBlobs } from '../zip-blobs.ts'

export function Mockups() {
  const { account } = useSession()
  const kept = useQuery(keptMockupsQuery(account.id))
  const mockups = kept.data ?? []
  const downloadAll = async () => {
    download(await zipBlobs(mockups.map(({ name, blob }) => [name, blob] as const)), 'mockups.zip')
    announce(`Downloaded ${formatCount(mockups.length)} mockups.`)
  }
  const forget = async (mockup: KeptMockup) => {
    await forgetMockups(account.id, [mockup.key])
    announce(`Removed ${mockup.name}.`, { undo: () => keepMockup(account.id, mockup) })
  }
  return (
    <>
      <header className="page-head">
        <h1>My mockups</h1>
        {mockups.length > 0 && (
          <Button look="primary" onClick={() => void downloadAll()}>
            Download all {formatCount(mockups.length)} as a zip
          </Button>
        )}
      </header>
      <div className="stack">
        {kept.isPending && <Skeleton rows={2} height={240} />}
        {kept.isError && <Failure error={kept.error} onRetry={() => void kept.refetch()} />}
        {kept.data !== undefined && mockups.length === 0 && (
          <Empty title="No mockups today">
            <p>What you render is kept here for a day, in this browser. The same picture is not charged again.</p>
            <ButtonLink look="primary" to="/templates">
              Choose scenes
            </ButtonLink>
          </Empty>
        )}
        {mockups.length > 0 && (
          <p className="quiet">Paid for, and kept in this browser for a day: the same picture is not charged again.</p>
        )}
        <ul className="mockup-list">
          {mockups.map(mockup => (
            <li key={mockup.key}>
              <Mockup mockup={mockup} onForget={() => void forget(mockup)} />
            </li>
          ))}
        </ul>
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
