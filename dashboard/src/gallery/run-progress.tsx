/** The run in progress, or an interrupted one, in the navigation of every page. */
import './run-progress.css'
import { Link } from '@tanstack/react-router'
import { useEffect, useSyncExternalStore } from 'react'
import { SmallButton } from '../components/controls.tsx'
import { formatCount } from '../format.ts'
import { useSession } from '../session/session.ts'
import { countTasks } from '../visit/render-tasks.ts'
import { renderRuns } from './render-runs.ts'

export const useRun = () => useSyncExternalStore(renderRuns.subscribe, renderRuns.read)

export function RunProgress() {
  const { account } = useSession()
  const { tasks, states, isRunning, isInterrupted, halt } = useRun()
  useEffect(() => {
    renderRuns.restore(account.id).catch(() => undefined)
  }, [account.id])
  if (tasks.length === 0) return null
  const { done, failed, left } = countTasks(states)
  return (
    <section className="run-progress" aria-label="Mockups under way">
      <progress max={tasks.length} value={done + failed} aria-label="Rendered" />
      <p className="small">
        {isInterrupted && 'Interrupted: '}
        <Link to="/mockups">
          {formatCount(done)} of {formatCount(tasks.length)} ready
        </Link>
        {failed > 0 && `, ${formatCount(failed)} failed`}
        {halt !== null && `: ${halt.message}`}
      </p>
      <div className="row">
        {isRunning && <SmallButton label="Stop" of="rendering" onClick={() => renderRuns.stop()} />}
        {!isRunning && left > 0 && (
          <SmallButton label="Continue" of="with the mockups that are left" onClick={() => void renderRuns.resume()} />
        )}
        {!isRunning && left === 0 && (
          <SmallButton label="Hide" of="the mockups that are ready" onClick={() => void renderRuns.forget()} />
        )}
      </div>
    </section>
  )
}
