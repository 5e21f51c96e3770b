/** A run in detail: what was rendered, what failed, what it cost; stop, continue, and a zip. */
import { Button, ButtonLink } from '../components/controls.tsx'
import { formatCount, formatCredits } from '../format.ts'
import { countTasks, type RunCounts } from '../visit/render-tasks.ts'
import type { StoredMockup } from '../visit/saved-work.ts'
import { renderRuns } from './render-runs.ts'
import { madeBy } from './run-download.tsx'
import { useRun } from './run-progress.tsx'
import { ZipButtons, zippedOf } from './zip-buttons.tsx'

/** `inBrowser`: the mockups of the last day, in this browser. */
export function RunPanel({ inBrowser }: { inBrowser: readonly StoredMockup[] }) {
  const { tasks, states, isRunning, isInterrupted, halt } = useRun()
  if (tasks.length === 0) return null
  const counts = countTasks(states)
  const { done, failed, left } = counts
  const made = madeBy(tasks, inBrowser)
  return (
    <section className="panel stack-form" aria-label="Latest run">
      <progress max={tasks.length} value={done + failed} aria-label="Progress" />
      <p role="status">
        {isInterrupted && <strong>The page was closed or reloaded during the run. </strong>}
        {formatCount(done)} of {formatCount(tasks.length)} made, for {formatCredits(counts.credits)}
        {failed > 0 && `; ${formatCount(failed)} failed`}
        {left > 0 && `; ${formatCount(left)} left`}. {!isRunning && <LeftInWords {...counts} />}
      </p>
      {halt !== null && (
        <div role="alert" className="notice notice-danger">
          <p>
            <strong>{halt.message}</strong> The rest waits here.
          </p>
          {halt.isOutOfCredits && (
            <div>
              <ButtonLink to="/credits" search={{ back: '/mockups' }}>
                Get credits
              </ButtonLink>
            </div>
          )}
        </div>
      )}
      <div className="row">
        {isRunning && (
          <Button look="danger" onClick={() => renderRuns.stop()}>
            Stop
          </Button>
        )}
        {!isRunning && left > 0 && (
          <Button look="primary" onClick={() => void renderRuns.resume()}>
            Continue with the {formatCount(left)} left
          </Button>
        )}
        {!isRunning && left === 0 && failed > 0 && (
          <Button onClick={() => void renderRuns.resume()}>Try the {formatCount(failed)} failed again</Button>
        )}
        {!isRunning && made.length > 0 && made.length < inBrowser.length && (
          <ZipButtons mockups={made.map(zippedOf)} what="of this run" look="quiet" />
        )}
        {!isRunning && (
          <Button onClick={() => void renderRuns.forget()}>{left > 0 ? 'Discard the rest' : 'Hide'}</Button>
        )}
      </div>
      {failed > 0 && (
        <details>
          <summary>Failed (nothing was charged)</summary>
          <ul className="faults">
            {states.map((state, index) =>
              state.kind === 'failed' ? (
                <li key={tasks[index]?.name}>
                  {tasks[index]?.name}: {state.message}
                </li>
              ) : null,
            )}
          </ul>
        </details>
      )}
    </section>
  )
}

/** What is known about the mockups left, and that continuing charges nothing twice. */
function LeftInWords({ left, unknown }: RunCounts) {
  if (left === 0) return null
  if (unknown === 0) return <>The rest was not started and has cost nothing.</>
  return (
    <>
      {formatCount(unknown)} of those left {unknown === 1 ? 'was' : 'were'} under way: what the service had finished is
      paid, and continuing fetches it without a second charge.
    </>
  )
}
