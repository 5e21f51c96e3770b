import { z } from 'zod'
import type { DatabaseLocation } from '../../src/database/database.ts'

/** Identifies the services that `global-setup.ts` has started and stopped, as JSON. */
export const SHARED_START = 'VITRINE_TEST_SHARED_START'

const location = z.object({ dataDir: z.string(), databaseUrl: z.string().optional() })

/** Data folder and database of a service with the test templates, to be copied; nothing has them open. */
export function findSharedStart(kind: 'sqlite' | 'postgres'): DatabaseLocation | undefined {
  const shared = process.env[SHARED_START]
  if (shared === undefined) return undefined
  return z.object({ sqlite: location, postgres: location }).parse(JSON.parse(shared))[kind]
}
