/** Downloads the mockups of the newest run as one zip, from the tray. */
import { useQuery } from '@tanstack/react-query'
import { useSession } from '../session/session.ts'
import type { RenderTask } from '../visit/render-tasks.ts'
import { browserMockupsQuery, type StoredMockup, storedMockupId } from '../visit/saved-work.ts'
import { useRun } from './run-progress.tsx'
import { ZipButtons, zippedOf } from './zip-buttons.tsx'

/** The mockups that a run has rendered. */
export function madeBy(tasks: readonly RenderTask[], inBrowser: readonly StoredMockup[]): readonly StoredMockup[] {
  const ids = new Set(tasks.map(storedMockupId))
  return inBrowser.filter(mockup => ids.has(storedMockupId(mockup)))
}

export function RunDownload({ look }: { look: 'primary' | 'quiet' }) {
  const { account } = useSession()
  const { tasks, isRunning } = useRun()
  const inBrowser = useQuery(browserMockupsQuery(account.id)).data ?? []
  if (isRunning || tasks.length === 0) return null
  return <ZipButtons mockups={madeBy(tasks, inBrowser).map(zippedOf)} look={look} />
}
