/** What the newest run has made, as one zip, in the tray. */
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session.ts'
import type { RenderTask } from '../visit/render-tasks.ts'
import { keptMockupsQuery, type StoredMockup, storedMockupId } from '../visit/saved-work.ts'
import { useRun } from './run-progress.tsx'
import { ZipButtons, zippedOf } from './zip-buttons.tsx'

/** Those of the mockups that a run has made. */
export function madeBy(tasks: readonly RenderTask[], kept: readonly StoredMockup[]): readonly StoredMockup[] {
  const ids = new Set(tasks.map(storedMockupId))
  return kept.filter(mockup => ids.has(storedMockupId(mockup)))
}

export function RunDownload({ look }: { look: 'primary' | 'quiet' }) {
  const { account } = useSession()
  const { tasks, isRunning } = useRun()
  const kept = useQuery(keptMockupsQuery(account.id)).data ?? []
  if (isRunning || tasks.length === 0) return null
  return <ZipButtons mockups={madeBy(tasks, kept).map(zippedOf)} look={look} />
}
