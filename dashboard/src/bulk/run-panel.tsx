/** A run as it goes: done, failed, left; stop, go on, and the zip. */
import './bulk.css'
import { useMemo, useState } from 'react'
import { announce } from '../components/announcer.tsx'
import { Button, ButtonLink } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { formatCount } from '../format.ts'
import { download } from '../mockups.ts'
import { useObjectUrl } from '../use-object-url.ts'
import { zipBlobs } from '../zip-blobs.ts'
import type { BulkTask } from './bulk-tasks.ts'
import type { BulkRun } from './use-bulk.ts'

/** Zips of this kind end at 4 GB, and browsers hold a whole one. */
const ZIP_BYTES_MAX = 1_500_000_000
const PICTURES_SHOWN = 12

type RunPanelProps = { run: BulkRun; onStop: () => void; onResume: () => void; onClear: () => void }
type Finished = { readonly task: BulkTask; readonly mockup: Blob }

const mockups = (count: number): string => `${formatCount(count)} ${count === 1 ? 'mockup' : 'mockups'}`

export function RunPanel({ run, onStop, onResume, onClear }: RunPanelProps) {
  const { tasks, outcomes, running, halt } = run
  const done = useMemo(() => finishedOf(tasks, outcomes), [tasks, outcomes])
  const failed = tasks.flatMap(task => {
    const outcome = outcomes.get(task.index)
    return outcome?.kind === 'failed' ? [{ task, message: outcome.message }] : []
  })
  const left = tasks.length - done.length - failed.length
  return (
    <div className="stack">
      <progress max={tasks.length} value={tasks.length - left} aria-label="Progress" />
      <p role="status">
        {formatCount(done.length)} done, {formatCount(failed.length)} failed, {formatCount(left)} left
        {running || left === 0 ? '.' : ': stopped. You paid for what is done.'}
      </p>
      {halt !== null && (
        <div role="alert" className="notice notice-danger">
          <p>
            <strong>{halt.message}</strong> The rest waits here.
          </p>
          {halt.isOutOfCredits && (
            <div>
              <ButtonLink to="/credits">Get credits</ButtonLink>
            </div>
          )}
        </div>
      )}
      <div className="row">
        {running && (
          <Button look="danger" onClick={onStop}>
            Stop
          </Button>
        )}
        {!running && done.length > 0 && <Zips done={done} />}
        {!running && left > 0 && (
          <Button look={done.length === 0 ? 'primary' : 'quiet'} onClick={onResume}>
            Go on with the {formatCount(left)} left
          </Button>
        )}
        {!running && left === 0 && failed.length > 0 && (
          <Button onClick={onResume}>Try the {formatCount(failed.length)} failed again</Button>
        )}
        {!running && <NewRun unsaved={done.length} onClear={onClear} />}
      </div>
      {failed.length > 0 && (
        <details>
          <summary>What failed (nothing was charged)</summary>
          <ul className="faults">
            {failed.map(({ task, message }) => (
              <li key={task.fileName}>
                {task.fileName}: {message}
              </li>
            ))}
          </ul>
        </details>
      )}
      <ul className="finished" aria-label="The newest mockups">
        {done.slice(-PICTURES_SHOWN).map(({ task, mockup }) => (
          <li key={task.fileName}>
            <FinishedPicture name={task.fileName} mockup={mockup} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** In the order in which they were finished. */
function finishedOf(tasks: readonly BulkTask[], outcomes: BulkRun['outcomes']): Finished[] {
  const byIndex = new Map(tasks.map(task => [task.index, task]))
  return [...outcomes].flatMap(([index, outcome]) => {
    const task = byIndex.get(index)
    return outcome.kind === 'done' && task !== undefined ? [{ task, mockup: outcome.mockup }] : []
  })
}

function FinishedPicture({ name, mockup }: { name: string; mockup: Blob }) {
  const url = useObjectUrl(mockup)
  return (
    <button type="button" className="finished-picture" title={name} onClick={() => download(mockup, name)}>
      {url !== null && <img src={url} alt="" decoding="async" />}
      <span className="visually-hidden">Download {name}</span>
    </button>
  )
}

function partsOf(done: readonly Finished[]): Finished[][] {
  const parts: Finished[][] = []
  let sizeBytes = Number.POSITIVE_INFINITY
  for (const one of done) {
    sizeBytes += one.mockup.size
    if (sizeBytes > ZIP_BYTES_MAX) {
      parts.push([])
      sizeBytes = one.mockup.size
    }
    parts.at(-1)?.push(one)
  }
  return parts
}

function Zips({ done }: { done: readonly Finished[] }) {
  const parts = partsOf(done)
  const [making, setMaking] = useState(false)
  const save = async (part: readonly Finished[], name: string) => {
    setMaking(true)
    try {
      download(await zipBlobs(part.map(({ task, mockup }) => [task.fileName, mockup])), name)
      announce(`Made ${name}.`)
    } catch {
      announce('The zip could not be made: this device has too little memory or space.')
    } finally {
      setMaking(false)
    }
  }
  return parts.map((part, index) => (
    <Button
      key={part[0]?.task.fileName}
      look="primary"
      aria-busy={making}
      onClick={() => void save(part, parts.length === 1 ? 'mockups.zip' : `mockups-${index + 1}.zip`)}
    >
      Download {mockups(part.length)} {parts.length > 1 && `(part ${index + 1} of ${parts.length}) `}as a zip
    </Button>
  ))
}

function NewRun({ unsaved, onClear }: { unsaved: number; onClear: () => void }) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button onClick={() => (unsaved === 0 ? onClear() : setAsking(true))}>New run</Button>
      {asking && (
        <Dialog
          title={`Clear ${mockups(unsaved)} from this page?`}
          onClose={() => setAsking(false)}
          isDestructive
          actions={
            <Button look="danger" onClick={onClear}>
              Clear and start a new run
            </Button>
          }
        >
          <p>They were paid for, and are kept in this browser alone: download the zip first.</p>
        </Dialog>
      )}
    </>
  )
}
