/**
 * A process of the race test: on the message "go" it concurrently requests one credit as often as it is told,
 * settles what it got, and reports the number.
 */
import { once } from 'node:events'
import { z } from 'zod'
import { Wallet } from '../../src/credits/wallet.ts'
import { openDatabase } from '../../src/database/database.ts'
import { newId } from '../../src/database/new-id.ts'

const start = z
  .object({ dataDir: z.string(), databaseUrl: z.string().optional(), accountId: z.string(), requests: z.number() })
  .parse(JSON.parse(process.argv[2] ?? ''))

const database = await openDatabase(start)
const wallet = new Wallet(database, { instanceId: newId('ins') })

async function spendOne(i: number): Promise<boolean> {
  const result = await wallet.reserve({
    accountId: start.accountId,
    keyId: null,
    credits: 1,
    requestId: `req_${process.pid}_${i}`,
    expiresAtMs: Date.now() + 60_000,
  })
  if (!result.ok) return false
  const { settled } = await wallet.settle(result.reservationId)
  return settled
}

process.send?.('ready')
await once(process, 'message')
const results = await Promise.all(Array.from({ length: start.requests }, (_, i) => spendOne(i)))
await database.close()
process.send?.({ granted: results.filter(Boolean).length })
process.disconnect?.()
