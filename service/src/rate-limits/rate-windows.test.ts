import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { countInWindow, decide, type RateWindow } from './rate-windows.ts'

const minute = { windowSeconds: 60, limit: 100 }
const day = { windowSeconds: 86_400, limit: 10_000 }
const limits = [minute, day]
const window = (windowSeconds: number, startedAtMs: number, count: number): RateWindow => ({
  windowSeconds,
  startedAtMs,
  count,
})

describe('a decision reports', () => {
  test('the window with fewer requests left', () => {
    const nowMs = 10_500
    const byMinute = decide([window(60, 500, 99), window(86_400, 500, 9_000)], limits, nowMs)
    assert.deepEqual(byMinute, {
      allowed: true,
      limit: 100,
      remaining: 1,
      resetAtS: 61, // it ends at 60.5 s: a client that waits until 61 is let in
      windowSeconds: 60,
      retryAfterS: 50,
    })
    const byDay = decide([window(60, 500, 10), window(86_400, 500, 9_950)], limits, nowMs)
    assert.deepEqual([byDay.limit, byDay.remaining, byDay.windowSeconds], [10_000, 50, 86_400])
  })

  test('the minute when both have equally many left', () => {
    const decision = decide([window(60, 0, 50), window(86_400, 0, 9_950)], limits, 1_000)
    assert.deepEqual([decision.windowSeconds, decision.remaining], [60, 50])
  })

  test('the window that refuses, when the other one has none left but does not refuse', () => {
    const decision = decide([window(60, 0, 100), window(86_400, 0, 10_001)], limits, 1_000)
    assert.deepEqual([decision.allowed, decision.windowSeconds, decision.limit], [false, 86_400, 10_000])
  })

  test('the one that ends later when both refuse', () => {
    const usual = decide([window(60, 0, 101), window(86_400, 0, 10_001)], limits, 1_000)
    assert.deepEqual([usual.windowSeconds, usual.retryAfterS, usual.remaining], [86_400, 86_399, 0])
    const nowMs = 86_399_000
    const lateInTheDay = decide([window(60, nowMs - 1_000, 101), window(86_400, 0, 10_001)], limits, nowMs)
    assert.deepEqual([lateInTheDay.windowSeconds, lateInTheDay.limit, lateInTheDay.retryAfterS], [60, 100, 59])
  })

  test('at least one second to wait', () => {
    assert.equal(decide([window(60, 0, 101)], [minute], 59_999).retryAfterS, 1)
  })
})

describe('a window', () => {
  test('opens with the first request after the last one ended', () => {
    const first = countInWindow(undefined, 60, 59_900)
    assert.deepEqual(first, window(60, 59_900, 1))
    assert.deepEqual(countInWindow({ ...first }, 60, 119_899), window(60, 59_900, 2))
    assert.deepEqual(countInWindow({ ...first }, 60, 119_900), window(60, 119_900, 1))
  })

  test('never lasts longer than its length, even when the clock is set back', () => {
    const moved = countInWindow(window(60, 3_600_000, 5), 60, 1_000)
    assert.deepEqual(moved, window(60, 1_000, 6))
  })

  test('allows its limit and no more, and a client that waits as told is admitted', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 }),
        (limit, gaps) => {
          let nowMs = 1_000_000
          let current: RateWindow | undefined
          const allowedIn = new Map<number, number>()
          for (const gapMs of gaps) {
            nowMs += gapMs
            current = countInWindow(current, 60, nowMs)
            const decision = decide([current], [{ windowSeconds: 60, limit }], nowMs)
            if (decision.allowed) {
              const { startedAtMs } = current
              allowedIn.set(startedAtMs, (allowedIn.get(startedAtMs) ?? 0) + 1)
            } else {
              const later = nowMs + decision.retryAfterS * 1000
              const retry = countInWindow({ ...current }, 60, later)
              assert.ok(decide([retry], [{ windowSeconds: 60, limit }], later).allowed)
              assert.equal(decision.remaining, 0)
            }
          }
          for (const count of allowedIn.values()) assert.ok(count <= limit)
        },
      ),
    )
  })
})
