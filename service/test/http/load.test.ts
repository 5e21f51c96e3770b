import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { measureOverload } from '../../bench/measure-overload.ts'
import { measureSoak } from '../../bench/measure-soak.ts'
import { startArtworkOrigin } from '../../bench/mockup-load.ts'
import { type SpawnedService, spawnService } from '../../bench/spawned-service.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

describe('A service in a process of its own', {
  skip: !isFull && 'VITRINE_TEST_SIZE=full loads it as `service/bench/overload.ts` and `soak.ts` do',
}, () => {
  let origin: Awaited<ReturnType<typeof startArtworkOrigin>>
  let service: SpawnedService
  before(async () => {
    origin = await startArtworkOrigin()
    service = await spawnService({
      RATE_LIMIT_PER_MINUTE: '1000000',
      RATE_LIMIT_PER_DAY: '100000000',
      RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '1000000',
      RENDER_QUEUE_LIMIT: '8',
      ARTWORK_ALLOWED_PRIVATE_HOSTS: origin.hosts,
    })
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    origin[Symbol.dispose]()
  })

  it('ten times the load: goodput does not collapse, only 200, 429 and 503, no credit lost, /healthz answers throughout', async () => {
    const { levels, capacityPerSecond, mockupsDelivered, creditsConsumed } = await measureOverload(service, {
      seconds: 20,
      factors: [1, 10],
      accountCount: 1,
      keyCount: 2,
      widthPx: 200,
      artwork: { urls: origin.urls },
      yields: false,
    })
    for (const { countByStatus, faults, healthMaxMs } of levels) {
      assert.deepEqual(faults, [])
      assert.deepEqual(
        Object.keys(countByStatus).filter(status => !/^(?:200|429|503)$/.test(status)),
        [],
      )
      assert(healthMaxMs < 5000, `/healthz took ${healthMaxMs} ms`)
    }
    const [usual, over] = levels
    assert(usual !== undefined && over !== undefined)
    // The capacity is measured first, and other work may have reduced it by then: the goodput in between is a
    // second measurement.
    const attainable = Math.min(capacityPerSecond, usual.goodputPerSecond)
    assert(over.goodputPerSecond > 0.3 * attainable, JSON.stringify({ usual, over, capacityPerSecond }))
    assert((over.countByStatus['503'] ?? 0) > 0, 'ten times the capacity was not offered')
    assert.equal(creditsConsumed, mockupsDelivered)
    const { violations, open_reservations } = await service.command('ledger', 'verify')
    assert.deepEqual({ violations, open_reservations }, { violations: 0, open_reservations: 0 })
  })

  it('ten times the load in uploads: only 200, 429 and 503, every answer arrives, no credit lost, /healthz answers throughout', async () => {
    const { levels, mockupsDelivered, creditsConsumed } = await measureOverload(service, {
      seconds: 20,
      factors: [10],
      accountCount: 1,
      keyCount: 2,
      widthPx: 200,
      artwork: 'upload',
      yields: false,
    })
    for (const { countByStatus, faults, healthMaxMs } of levels) {
      assert.deepEqual(faults, [])
      assert.deepEqual(
        Object.keys(countByStatus).filter(status => !/^(?:200|429|503)$/.test(status)),
        [],
      )
      assert((countByStatus['200'] ?? 0) > 0 && (countByStatus['503'] ?? 0) > 0, JSON.stringify(countByStatus))
      assert(Number.isFinite(healthMaxMs), 'a request for /healthz failed')
    }
    assert.equal(creditsConsumed, mockupsDelivered)
    const { violations, open_reservations } = await service.command('ledger', 'verify')
    assert.deepEqual({ violations, open_reservations }, { violations: 0, open_reservations: 0 })
  })

  it('a client that sends every kind of request leaves nothing behind', async () => {
    const { samples, lostProcesses, mockups, creditsConsumed } = await measureSoak(service, origin.urls[0] ?? '', 1000)
    const [first, last] = [samples[0], samples.at(-1)]
    assert(first !== undefined && last !== undefined)
    assert.equal(last.folders, 0)
    assert.equal(lostProcesses, 0)
    assert.equal(creditsConsumed, mockups)
    assert(last.openFiles < first.openFiles + 30, JSON.stringify({ first, last }))
    assert(last.serviceBytes < 600 * 2 ** 20 && Math.max(...last.renderBytes) < 1200 * 2 ** 20, JSON.stringify(last))
  })
})
