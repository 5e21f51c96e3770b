import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { type Customer, TestService } from '../http/test-service.ts'

/** More credits than a test of any size spends. */
const CREDITS = 100_000

const refusal = z.object({ code: z.string(), details: z.looseObject({ reason: z.string() }).optional() })

/** A service with two render processes, and a customer who uploads hostile files. */
export class HostileCustomer implements AsyncDisposable {
  readonly #service: TestService
  readonly #customer: Customer
  #acceptedCount = 0

  private constructor(service: TestService, customer: Customer) {
    this.#service = service
    this.#customer = customer
  }

  static async start(): Promise<HostileCustomer> {
    const service = await TestService.start('sqlite', { environment: { RENDER_WORKERS: '2' }, rendersLate: false })
    return new HostileCustomer(service, await service.customer(CREDITS))
  }

  /** The current render processes. */
  get processIds(): readonly number[] {
    return this.#service.running.services.pool.state.processIds
  }

  /** Uploads a file. The outcome: `accepted`, the reason of a refusal, or the code of another answer. */
  async upload(file: string): Promise<{ outcome: string; tookMs: number }> {
    const form = new FormData()
    form.set('template_id', 'one-frame')
    form.set('width', '200')
    form.set('artwork', await openAsBlob(file), 'artwork.png')
    const startedMs = performance.now()
    const { status, json } = await this.#service.generate(this.#customer.key, form)
    const tookMs = performance.now() - startedMs
    assert.ok([200, 400, 413].includes(status), `${path.basename(file)}: ${status} ${JSON.stringify(json)}`)
    if (status === 200) {
      this.#acceptedCount += 1
      return { outcome: 'accepted', tookMs }
    }
    const { code, details } = refusal.parse(json)
    return { outcome: code === 'INVALID_ARTWORK' ? (details?.reason ?? code) : code, tookMs }
  }

  /** Asserts that only mockups were paid for, no process was lost, and nothing was left behind. */
  async assertUnharmed(): Promise<void> {
    const { services } = this.#service.running
    assert.equal(await this.#service.balance(this.#customer.key), CREDITS - this.#acceptedCount)
    assert.deepEqual((await services.wallet.verifyLedger()).violations, [])
    assert.deepEqual(
      this.#service.log.filter(line => line.includes('render process ended')),
      [],
    )
    assert.equal(services.pool.state.readyCount, 2)
    assert.deepEqual(await readdir(path.join(this.#service.dataDir, 'tmp')), [])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]()
  }
}
