import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from './logger.ts'
import { formatForTerminal } from './terminal-log.ts'

/** The log as seen on a terminal, without times. */
function shownAt(level: 'info' | 'debug', log: (logger: ReturnType<typeof createLogger>) => void): string[] {
  const shown: string[] = []
  const write = (json: string) => {
    const line = formatForTerminal(json, { isWhole: level === 'debug' })
    if (line === null) return
    assert.match(line, /^\d\d:\d\d:\d\d {2}/)
    shown.push(line.slice(10))
  }
  log(createLogger(level, { write }))
  return shown
}

const generated = { method: 'POST', route: 'POST /api/v1/mockups/generate', status: 200, outcome: 'ok', durationMs: 51 }
const page = { method: 'GET', route: 'GET /assets/*', status: 200, outcome: 'ok', durationMs: 1 }

test('a mockup or batch is one short line on a terminal, and a refusal includes its code', () => {
  const shown = shownAt('info', logger => {
    logger.info({ ...generated, templateIds: ['oak-frame-portrait'], creditsConsumed: 1 }, 'request')
    logger.info({ ...generated, templateIds: ['a', 'b', 'c', 'd'], creditsConsumed: 4 }, 'request')
    logger.info({ ...generated, isReplayed: true }, 'request')
    logger.info({ ...generated, templateIds: ['a'], status: 400, outcome: 'INVALID_ARTWORK' }, 'request')
    logger.info({ ...generated, route: 'POST /dashboard/mockups/generate', templateIds: ['a'] }, 'request')
  })
  assert.deepEqual(shown, [
    'oak-frame-portrait  1 credit  51 ms',
    '4 mockups  4 credits  51 ms',
    'mockup  repeated answer  51 ms',
    'a  400 INVALID_ARTWORK  51 ms',
    'a  51 ms',
  ])
})

test('assets, pages and the listening address are not shown, errors are; debug shows every request', () => {
  const log = (logger: ReturnType<typeof createLogger>) => {
    logger.info(page, 'request')
    logger.info({ url: 'http://localhost:8080' }, 'listening')
    logger.info({ ...page, route: 'GET /favicon.ico', status: 404, outcome: 'NOT_FOUND' }, 'request')
    logger.info({ ...page, route: 'GET /api/v1/templates', status: 401, outcome: 'INVALID_API_KEY' }, 'request')
    logger.info({ ...page, route: 'GET /assets/*', status: 500, outcome: 'INTERNAL_ERROR' }, 'request')
    logger.warn({ reason: 'the disk is full' }, 'not ready')
  }
  assert.deepEqual(shownAt('info', log), [
    'GET /api/v1/templates  401 INVALID_API_KEY  1 ms',
    'GET /assets/*  500 INTERNAL_ERROR  1 ms',
    'warn: not ready; reason: the disk is full',
  ])
  assert.equal(shownAt('debug', log).length, 6)
})

test('control characters in external values do not affect the terminal', () => {
  const [line] = shownAt('info', logger => logger.warn({ origin: 'a\u001B[2Jb\u009B2Jc' }, 'refused'))
  assert.equal(line, 'warn: refused; origin: a[2Jb2Jc')
})

test('a failure shows its stack, and a multi-line text is shown completely', () => {
  const text = `Hello,\n\n${'x'.repeat(300)}`
  const [failure = '', mail = ''] = shownAt('info', logger => {
    logger.error({ err: new RangeError('too far') }, 'request failed')
    logger.warn({ to: 'a@example.com', text }, 'give this to the person yourself')
  })
  assert.match(failure, /^error: request failed\nRangeError: too far\n +at /)
  assert.ok(mail.startsWith('warn: give this to the person yourself; to: a@example.com; text: \n'))
  assert.ok(mail.includes(text))
})
