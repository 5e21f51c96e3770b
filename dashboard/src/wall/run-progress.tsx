/** The run that goes on in the background, in the navigation of every page. */
import { Link } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { Button } from '../components/controls.tsx'
import { renderRuns } from './render-runs.ts'

export const useRun = () => useSyncExternalStore(renderRuns.subscribe, renderRuns.read)

export function RunProgress() {
  const { tasks, states, isRunning, halt } = useRun()
  if (tasks.length === 0) return null
  const count = (kind: (typeof states)[number]['kind']): number => states.filter(state => state.kind === kind).length
  const [done, failed] = [count('done'), count('failed')]
  return (
    <section className="run-progress" aria-label="Mockups under way">
      <progress max={tasks.length} value={done + failed} aria-label="Rendered" />
      <p className="small">
        <Link to="/mockups">
          {done} of {tasks.length} ready
        </Link>
        {failed > 0 && `, ${failed} failed`}
        {halt !== null && `: ${halt}`}
      </p>
      {isRunning && (
        <Button className="button-small" onClick={() => renderRuns.stop()}>
          Stop<span className="visually-hidden"> rendering</span>
        </Button>
      )}
    </section>
  )
}
