/** Bulk: artworks times templates, the cost first, progress, stop, one zip. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { zip } from 'fflate'
import { useEffect, useMemo, useRef, useState } from 'react'
import { type BulkProgress, buildTasks, runBulk } from '../bulk/bulk-run.ts'
import { announce } from '../components/announcer.tsx'
import { Button, Field, Select } from '../components/controls.tsx'
import { DropZone } from '../components/drop-zone.tsx'
import { Failure, Skeleton } from '../components/states.tsx'
import { formatCents, formatCount, formatCredits } from '../format.ts'
import { download } from '../mockups.ts'
import { queryClient } from '../session/session.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { creditsQuery } from './credits-query.ts'
import { templatesQuery } from './templates-query.ts'

export function Create() {
  const [artworks, setArtworks] = useState<readonly File[]>([])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [format, setFormat] = useState<'jpeg' | 'png'>('jpeg')
  const [widthPx, setWidthPx] = useState(2000)
  const [progress, setProgress] = useState<BulkProgress | null>(null)
  const controller = useRef<AbortController | null>(null)
  const credits = useInfiniteQuery(creditsQuery)
  const balance = credits.data?.pages[0]?.spendable_credits ?? 0
  const tasks = useMemo(() => buildTasks(artworks, [...chosen], format), [artworks, chosen, format])
  const running = progress?.running === true
  useEffect(() => {
    if (!running) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [running])
  const start = async () => {
    controller.current = new AbortController()
    await runBulk(tasks, { format, widthPx, quality: 85 }, controller.current.signal, setProgress)
    await queryClient.invalidateQueries({ queryKey: ['credits'] })
    announce('The run has ended.')
  }
  return (
    <>
      <header className="page-head">
        <h1>Create mockups</h1>
      </header>
      <div className="stack">
        <section className="stack" aria-labelledby="artworks">
          <h2 id="artworks">1. Artworks</h2>
          <DropZone label="Choose artworks" multiple onFiles={files => setArtworks(before => [...before, ...files])}>
            <p>Drop one picture or many: JPEG, PNG, WebP or GIF, up to 20 MB each.</p>
          </DropZone>
          <ul className="artworks">
            {artworks.map((artwork, index) => (
              <li key={`${artwork.name}-${artwork.lastModified}-${index}`}>
                <Artwork file={artwork} />
                <Button
                  className="button-small"
                  disabled={running}
                  onClick={() => setArtworks(artworks.filter((_, i) => i !== index))}
                >
                  Remove<span className="visually-hidden"> {artwork.name}</span>
                </Button>
              </li>
            ))}
          </ul>
        </section>
        <ChooseTemplates chosen={chosen} onChange={setChosen} disabled={running} />
        <section className="panel stack" aria-labelledby="cost">
          <h2 id="cost">3. Render</h2>
          <div className="row">
            <Select
              label="Width"
              value={String(widthPx)}
              disabled={running}
              onChange={event => setWidthPx(Number(event.currentTarget.value))}
              options={[1000, 2000, 3000, 4000].map(px => ({ value: String(px), label: `${px} px` }))}
            />
            <Select
              label="Format"
              value={format}
              disabled={running}
              onChange={event => setFormat(event.currentTarget.value === 'png' ? 'png' : 'jpeg')}
              options={[
                { value: 'jpeg', label: 'JPEG' },
                { value: 'png', label: 'PNG' },
              ]}
            />
          </div>
          <p>
            {formatCount(artworks.length)} {artworks.length === 1 ? 'artwork' : 'artworks'} × {formatCount(chosen.size)}{' '}
            {chosen.size === 1 ? 'template' : 'templates'} = <strong>{formatCredits(tasks.length)}</strong> (
            {formatCents(tasks.length)}). You have {formatCount(balance)}; after this run{' '}
            {formatCount(Math.max(0, balance - tasks.length))}. What fails costs nothing.
          </p>
          {tasks.length > balance && (
            <p className="field-error">That is more than you have: the run stops when the credits are used up.</p>
          )}
          <div className="row">
            {running ? (
              <Button look="danger" onClick={() => controller.current?.abort()}>
                Stop
              </Button>
            ) : (
              <Button look="primary" disabled={tasks.length === 0} onClick={() => void start()}>
                {tasks.length === 0
                  ? 'Choose an artwork and a template'
                  : `Render ${formatCount(tasks.length)} for ${formatCredits(tasks.length)}`}
              </Button>
            )}
          </div>
          {progress !== null && <Progress progress={progress} />}
        </section>
      </div>
    </>
  )
}

function Artwork({ file }: { file: File }) {
  const url = useObjectUrl(file)
  return (
    <>
      {url !== null && <img src={url} alt="" />}
      <span>{file.name}</span>
    </>
  )
}

function ChooseTemplates({
  chosen,
  onChange,
  disabled,
}: {
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
  disabled: boolean
}) {
  const [search, setSearch] = useState('')
  const templates = useInfiniteQuery(templatesQuery({ search: search || undefined }))
  const toggle = (id: string) => {
    const after = new Set(chosen)
    if (!after.delete(id)) after.add(id)
    onChange(after)
  }
  return (
    <section className="stack" aria-labelledby="templates">
      <h2 id="templates">2. Templates</h2>
      <Field
        label="Search templates"
        type="search"
        value={search}
        onChange={event => setSearch(event.currentTarget.value)}
      />
      {templates.isPending && <Skeleton rows={2} height={160} />}
      {templates.isError && <Failure error={templates.error} onRetry={() => void templates.refetch()} />}
      <ul className="gallery gallery-small">
        {templates.data?.pages.flatMap(page =>
          page.templates.map(template => (
            <li key={template.id}>
              <label className="choice">
                <input
                  type="checkbox"
                  checked={chosen.has(template.id)}
                  disabled={disabled}
                  onChange={() => toggle(template.id)}
                />
                {template.thumbnail_url !== null && (
                  <img src={new URL(template.thumbnail_url, location.href).pathname} alt="" loading="lazy" />
                )}
                <span>{template.name}</span>
              </label>
            </li>
          )),
        )}
      </ul>
      {templates.hasNextPage && (
        <div>
          <Button onClick={() => void templates.fetchNextPage()}>Show more templates</Button>
        </div>
      )}
    </section>
  )
}

function Progress({ progress }: { progress: BulkProgress }) {
  const { done, failed, total, running, stopped } = progress
  const left = total - done.length - failed.length
  const save = async () => {
    const files: Record<string, Uint8Array> = {}
    for (const { task, blob } of done) files[task.fileName] = new Uint8Array(await blob.arrayBuffer())
    zip(files, { level: 0 }, (error, bytes) => {
      if (error === null) download(new Blob([new Uint8Array(bytes)], { type: 'application/zip' }), 'mockups.zip')
      else announce('The zip could not be made: download the mockups in smaller runs.')
    })
  }
  return (
    <div className="stack">
      <progress max={total} value={total - left} aria-label="Progress" />
      <p role="status">
        {formatCount(done.length)} done, {formatCount(failed.length)} failed, {formatCount(left)} left
        {running ? '.' : stopped ? ': stopped. You paid for what is done.' : '.'}
      </p>
      {failed.length > 0 && (
        <details>
          <summary>What failed (nothing was charged)</summary>
          <ul>
            {failed.map(({ task, message }) => (
              <li key={task.fileName}>
                {task.fileName}: {message}
              </li>
            ))}
          </ul>
        </details>
      )}
      {done.length > 0 && !running && (
        <div>
          <Button look="primary" onClick={() => void save()}>
            Download {formatCount(done.length)} {done.length === 1 ? 'mockup' : 'mockups'} as a zip
          </Button>
        </div>
      )}
    </div>
  )
}
