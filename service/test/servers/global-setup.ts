/**
 * Runs before all test files (`--test-global-setup`): they share one PostgreSQL, and their services start as
 * copies of one that has imported the templates. A file that is run alone creates both itself.
 */
import { TestService } from '../http/test-service.ts'
import { startPostgres } from './postgres.ts'
import { SHARED_START } from './shared-start.ts'

const shared = new AsyncDisposableStack()

export async function globalSetup(): Promise<void> {
  const postgres = await startPostgres()
  shared.defer(postgres.stop)
  process.env['TEST_PG_URL'] = postgres.url
  const start = async (kind: 'sqlite' | 'postgres') => shared.use(await TestService.start(kind)).end()
  process.env[SHARED_START] = JSON.stringify({ sqlite: await start('sqlite'), postgres: await start('postgres') })
}

export async function globalTeardown(): Promise<void> {
  await shared.disposeAsync()
}
