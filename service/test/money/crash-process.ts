/**
 * A process of the crash test: it reserves, settles, releases, buys and refunds endlessly, four at a time,
 * with and without a key, and reports each confirmed step, until it is killed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { Wallet } from '../../src/credits/wallet.ts'
import { openDatabase } from '../../src/database/database.ts'
import { newId } from '../../src/database/new-id.ts'

const start = z
  .object({
    dataDir: z.string(),
    databaseUrl: z.string().optional(),
    accountId: z.string(),
    keyId: z.string(),
    round: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''))

const database = await openDatabase(start)
const wallet = new Wallet(database, { instanceId: newId('ins') })
const { accountId } = start

async function workForever(lane: number): Promise<never> {
  for (let i = 0; ; i++) {
    const result = await wallet.reserve({
      accountId,
      keyId: lane % 2 === 0 ? start.keyId : null,
      credits: 1 + (i % 3),
      requestId: `req_${start.round}_${lane}_${i}`,
      expiresAtMs: Date.now() + 60_000,
    })
    if (!result.ok) throw new Error('the test account ran out of credits')
    await delay(Math.random() * 3)
    const { reservationId } = result
    if (Math.random() < 0.3) {
      await wallet.release(reservationId, 'a test')
      process.send?.({ step: 'released', id: reservationId })
      continue
    }
    await wallet.settle(reservationId)
    process.send?.({ step: 'settled', id: reservationId })
    if (i % 5 === 0) {
      const externalId = `pay_${start.round}_${lane}_${i}`
      await wallet.purchase({ accountId, credits: 7, reason: 'a test', externalId })
      process.send?.({ step: 'purchased', id: externalId })
    }
    if (i % 7 === 0) {
      await wallet.refund(reservationId, { reason: 'a test' })
      process.send?.({ step: 'refunded', id: reservationId })
    }
  }
}

process.send?.({ step: 'started', id: '' })
await Promise.all([0, 1, 2, 3].map(workForever))
