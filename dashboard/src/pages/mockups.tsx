/** My mockups: what was rendered in the dashboard, by run and artwork, as the service stores it. */
import './mockups.css'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announce } from '../components/announcer.tsx'
import { Button, ButtonLink, Check, SmallButton } from '../components/controls.tsx'
import { SearchField } from '../components/search-field.tsx'
import { Empty, Failure, Skeleton } from '../components/states.tsx'
import { useWork } from '../components/use-action.ts'
import { counted, formatCount, formatMoment } from '../format.ts'
import { RunPanel } from '../gallery/run-panel.tsx'
import { ZipButtons, type ZippedMockup } from '../gallery/zip-buttons.tsx'
import { loadPicture, picturePath, removeStored, storedMockupsQuery, thumbnailPath } from '../queries/mockups-query.ts'
import { useSession } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { download } from '../visit/mockups.ts'
import { browserMockupsQuery, forgetMockups } from '../visit/saved-work.ts'
import { groupByRun, type MockupRun, mergeMockups, type ShownMockup } from './merge-mockups.ts'

/** What is about to be removed, with its description. */
type Removal = {
  readonly mockups: readonly ShownMockup[]
  /** Everything of a run or of the account, including what is not shown; null: only `mockups`. */
  readonly whole: { readonly run: string } | { readonly all: true } | null
  readonly what: string
}

export function Mockups() {
  const { account } = useSession()
  const [search, setSearch] = useState('')
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [removal, setRemoval] = useState<Removal | null>(null)
  const inBrowser = useQuery(browserMockupsQuery(account.id)).data
  const list = useInfiniteQuery(storedMockupsQuery(search))
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const mockups = useMemo(() => {
    const stored = list.data?.pages.flatMap(page => page.mockups) ?? []
    return mergeMockups({ stored, isWhole: !hasNextPage, inBrowser: inBrowser ?? [], search })
  }, [list.data, hasNextPage, inBrowser, search])
  const runs = useMemo(() => groupByRun(mockups), [mockups])
  // The newest run is loaded completely.
  const isRunPartial = hasNextPage && runs.length === 1
  useEffect(() => {
    if (isRunPartial && !isFetchingNextPage) void fetchNextPage()
  }, [isRunPartial, isFetchingNextPage, fetchNextPage])
  const chosen = mockups.filter(({ id }) => selected.has(id))
  const select = (ids: readonly string[], isSelected: boolean) =>
    setSelected(before => {
      const others = [...before].filter(id => !ids.includes(id))
      return new Set(isSelected ? [...others, ...ids] : others)
    })
  const [first] = list.data?.pages ?? []
  return (
    <>
      <header className="page-head">
        <h1>My mockups</h1>
        <SearchField label="Search mockups" value={search} onSearch={setSearch} placeholder="Artwork, template, name" />
      </header>
      <div className="stack">
        <RunPanel inBrowser={inBrowser ?? []} />
        {first !== undefined && <StoredInWords {...first} />}
        {mockups.length > 0 && (
          <Selection
            chosen={chosen}
            onAll={() => setSelected(new Set(mockups.map(({ id }) => id)))}
            onNone={() => setSelected(new Set())}
            onRemove={() => setRemoval({ mockups: chosen, whole: null, what: counted(chosen.length, 'mockup') })}
            onRemoveAll={
              search === '' ? () => setRemoval({ mockups, whole: { all: true }, what: 'all mockups' }) : null
            }
          />
        )}
        {list.isPending && mockups.length === 0 && <Skeleton rows={2} height={240} />}
        {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
        {list.isSuccess && mockups.length === 0 && <NoMockups isSearch={search !== ''} />}
        {runs.map((run, index) => (
          <Run
            key={run.run}
            run={run}
            isPartial={hasNextPage && index === runs.length - 1}
            selected={selected}
            onSelect={select}
            onRemove={setRemoval}
          />
        ))}
        {hasNextPage && (
          <div>
            <Button onClick={() => void fetchNextPage()} aria-busy={isFetchingNextPage}>
              Show more
            </Button>
          </div>
        )}
      </div>
      {removal !== null && (
        <RemoveDialog
          removal={removal}
          onClose={() => setRemoval(null)}
          onRemoved={() => {
            setSelected(new Set())
            setRemoval(null)
          }}
        />
      )}
    </>
  )
}

type StoredFacts = { total_count: number; total_bytes: number; bytes_max: number; days: number }

function StoredInWords({ total_count, total_bytes, bytes_max, days }: StoredFacts) {
  const mebibytes = (bytes: number): string => formatCount(Math.ceil(bytes / 1024 / 1024))
  if (bytes_max === 0)
    return <p className="quiet">Saved in this browser for a day: the same picture is not charged again.</p>
  return (
    <p className="quiet">
      Stored for {formatCount(days)} days, whichever browser you sign in with: {counted(total_count, 'mockup')},{' '}
      {mebibytes(total_bytes)} of {mebibytes(bytes_max)} MiB. New ones replace the oldest.
    </p>
  )
}

function NoMockups({ isSearch }: { isSearch: boolean }) {
  if (isSearch) return <Empty title="No mockups match">{null}</Empty>
  return (
    <Empty title="No mockups">
      <p>What you render in the dashboard is listed here.</p>
      <ButtonLink look="primary" to="/templates">
        Choose scenes
      </ButtonLink>
    </Empty>
  )
}

type SelectionProps = {
  chosen: readonly ShownMockup[]
  onAll: () => void
  onNone: () => void
  onRemove: () => void
  /** Null while the list is filtered. */
  onRemoveAll: (() => void) | null
}

function Selection({ chosen, onAll, onNone, onRemove, onRemoveAll }: SelectionProps) {
  return (
    <div className="row mockup-selection" role="group" aria-label="Selection">
      <span role="status">{chosen.length > 0 && `${formatCount(chosen.length)} selected`}</span>
      <Button className="button-small" onClick={onAll}>
        Select all
      </Button>
      {chosen.length === 0 && onRemoveAll !== null && (
        <Button className="button-small" onClick={onRemoveAll}>
          Remove all…
        </Button>
      )}
      {chosen.length > 0 && (
        <>
          <Button className="button-small" onClick={onNone}>
            Select none
          </Button>
          <ZipButtons mockups={chosen.map(zipped)} isSmall />
          <SmallButton label="Remove…" of="the selected mockups" onClick={onRemove} />
        </>
      )}
    </div>
  )
}

type RunProps = {
  run: MockupRun
  /** The run may have more than is shown. */
  isPartial: boolean
  selected: ReadonlySet<string>
  onSelect: (ids: readonly string[], isSelected: boolean) => void
  onRemove: (removal: Removal) => void
}

function Run({ run: { run, mockups, byArtwork }, isPartial, selected, onSelect, onRemove }: RunProps) {
  const ids = mockups.map(({ id }) => id)
  const isWhole = ids.every(id => selected.has(id))
  const madeAt = formatMoment(new Date(mockups[0]?.madeAtMs ?? 0).toISOString())
  return (
    <section className="mockup-run" aria-label={`Rendered ${madeAt}`}>
      <div className="row mockup-run-head">
        <h2>{madeAt}</h2>
        <div className="row">
          <Check checked={isWhole} onChecked={() => onSelect(ids, !isWhole)}>
            Select {isPartial ? 'those shown' : 'the run'}
          </Check>
          <ZipButtons mockups={mockups.map(zipped)} what={isPartial ? 'shown' : ''} look="quiet" isSmall />
          <SmallButton
            label="Remove…"
            of={`the run of ${madeAt}`}
            onClick={() =>
              onRemove({
                mockups,
                whole: run === '' ? null : { run },
                what: isPartial ? 'the run' : counted(mockups.length, 'mockup'),
              })
            }
          />
        </div>
      </div>
      {byArtwork.map(([artwork, of]) => (
        <div key={artwork} className="stack-small">
          {artwork !== '' && <h3>{artwork}</h3>}
          <ul className="mockup-list" aria-label={artwork}>
            {of.map(mockup => (
              <li key={mockup.id}>
                <Mockup
                  mockup={mockup}
                  isSelected={selected.has(mockup.id)}
                  onSelect={isSelected => onSelect([mockup.id], isSelected)}
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

const loadOf = ({ inBrowser, storedId }: ShownMockup): Blob | Promise<Blob> => {
  if (inBrowser !== null) return inBrowser.blob
  if (storedId !== null) return loadPicture(storedId)
  throw new Error('The mockup is neither in this browser nor stored.')
}

const zipped = (mockup: ShownMockup): ZippedMockup => ({
  name: mockup.name,
  sizeBytes: mockup.sizeBytes,
  load: () => loadOf(mockup),
})

type MockupProps = { mockup: ShownMockup; isSelected: boolean; onSelect: (isSelected: boolean) => void }

function Mockup({ mockup, isSelected, onSelect }: MockupProps) {
  const { name } = mockup
  const save = useWork(async () => download(await loadOf(mockup), name))
  return (
    <>
      <label className="mockup-tile">
        <SmallPicture mockup={mockup} />
        <span>
          <input
            type="checkbox"
            aria-label={`Select ${name}`}
            checked={isSelected}
            onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
          />
        </span>
      </label>
      <span>
        {name} {mockup.storedId === null && <span className="quiet">· in this browser, for a day</span>}
      </span>
      <div>
        <SmallButton label="Download" of={name} onClick={() => void save.run()} />
      </div>
      {save.error !== null && <p className="field-error">{save.error.message}</p>}
    </>
  )
}

/** The thumbnail, or the mockup itself if there is none. */
function SmallPicture({ mockup: { name, storedId, hasThumbnail, inBrowser } }: { mockup: ShownMockup }) {
  const url = useObjectUrl(hasThumbnail ? null : (inBrowser?.blob ?? null))
  const stored = storedId === null ? null : hasThumbnail ? thumbnailPath(storedId) : picturePath(storedId)
  const src = hasThumbnail ? stored : (url ?? (inBrowser === null ? stored : null))
  return <img src={src ?? undefined} alt={name} loading="lazy" decoding="async" />
}

type RemoveDialogProps = { removal: Removal; onClose: () => void; onRemoved: () => void }

function RemoveDialog({ removal: { mockups, whole, what }, onClose, onRemoved }: RemoveDialogProps) {
  const { account } = useSession()
  const remove = async () => {
    const ids = mockups.flatMap(({ storedId }) => storedId ?? [])
    if (whole !== null) await removeStored(whole)
    else if (ids.length > 0) await removeStored({ ids })
    await forgetMockups(
      account.id,
      mockups.flatMap(({ inBrowser }) => inBrowser ?? []),
    )
    announce(`Removed ${what}.`)
    onRemoved()
  }
  return (
    <ActionDialog title={`Remove ${what}?`} label="Remove" action={remove} onClose={onClose} isDestructive>
      <p>They are deleted from the service and from this browser. Rendering them again may cost credits again.</p>
    </ActionDialog>
  )
}
