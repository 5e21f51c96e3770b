import assert from 'node:assert/strict'
import { appendFile, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { makeScratchFolder } from '../../service/test/cli/scratch-folder.ts'
import { TestService } from '../../service/test/http/test-service.ts'
import { plainPicture } from '../../service/test/mockups/test-bundle.ts'
import {
  type Design,
  type Journal,
  type JournalEntry,
  plan,
  type Rendered,
  renderAll,
  type Saver,
} from '../src/bulk.ts'
import { isVitrineError, Vitrine } from '../src/index.ts'
import { fileJournal, folder } from '../src/node.ts'
import { errorAnswer, type Scripted, startScriptedService } from './scripted-service.ts'

const scratch = makeScratchFolder('bulk')
const output = { width: 16 } as const
const templates = ['one-frame', 'two-frames']
let service: TestService
let artwork: Blob
before(async () => {
  service = await TestService.start('sqlite')
  artwork = new Blob([new Uint8Array(await plainPicture(20, 20, [0, 0, 255]))])
})
after(() => service[Symbol.asyncDispose]())

async function openAccount(credits = 1000) {
  const { key } = await service.customer(credits)
  return { key, vitrine: new Vitrine({ apiKey: key, baseUrl: service.running.url }) }
}

const makeDesigns = (count: number): Design[] =>
  Array.from({ length: count }, (_, i) => ({ id: `design-${i}`, artwork }))

function memorySaver() {
  const saved = new Map<string, Rendered>()
  const nameOf: Saver['nameOf'] = ({ design, template }) => `${design}/${template}`
  return { saved, nameOf, save: (rendered: Rendered) => void saved.set(nameOf(rendered), rendered) }
}

function memoryJournal(): Journal & { readonly entries: JournalEntry[] } {
  const entries: JournalEntry[] = []
  return { entries, read: async () => [...entries], append: entry => void entries.push(entry) }
}

test('every design is rendered into every template, and kept in files with names of their own', async () => {
  const { vitrine, key } = await openAccount()
  const root = path.join(scratch, 'all')
  async function* designs() {
    yield { id: 'a/../b', artwork }
    yield { id: 'c', artwork: async () => artwork, templates: ['one-frame'] }
  }
  const seen: number[] = []
  const summary = await renderAll(vitrine, {
    designs: designs(),
    templates,
    output,
    save: folder(root),
    onProgress: ({ done }) => seen.push(done),
  })
  assert.deepEqual(summary, {
    total: 3,
    done: 3,
    failed: 0,
    creditsUsed: 3,
    creditsRemaining: 997,
    failures: [],
    stopped: null,
  })
  assert.deepEqual((await readdir(root, { recursive: true })).sort(), [
    'a_.._b',
    'a_.._b/one-frame.jpg',
    'a_.._b/two-frames.jpg',
    'c',
    'c/one-frame.jpg',
  ])
  assert.equal((await readFile(path.join(root, 'c/one-frame.jpg'))).subarray(0, 3).toString('hex'), 'ffd8ff')
  assert.equal(seen.at(-1), 3)
  assert.equal(await service.balance(key), 997)
})

test('a run with a concurrency below 1 sends one request at a time', async () => {
  const { vitrine } = await openAccount()
  const saver = memorySaver()
  const summary = await renderAll(vitrine, { designs: makeDesigns(3), templates, output, save: saver, concurrency: 0 })
  assert.deepEqual([summary.done, summary.failed], [6, 0])
})

test('a run that was ended goes on with the same journal, and pays for no mockup twice', async () => {
  const { vitrine, key } = await openAccount()
  const root = path.join(scratch, 'ended')
  const journal = fileJournal(path.join(scratch, 'run.jsonl'))
  const options = { designs: makeDesigns(20), templates, output, save: folder(root), journal, concurrency: 2 }
  const controller = new AbortController()
  const reason = new Error('enough')
  const ended = renderAll(vitrine, {
    ...options,
    signal: controller.signal,
    onProgress: ({ done }) => done >= 10 && controller.abort(reason),
  })
  await assert.rejects(ended, error => error === reason)
  const first = (await readdir(root, { recursive: true })).filter(name => name.endsWith('.jpg')).length
  assert.ok(first >= 10 && first < 40, `${first}`)
  await appendFile(path.join(scratch, 'run.jsonl'), '{"type":"done","design":"design-19","templ')
  const planned = await plan(vitrine, options)
  assert.equal(planned.mockups, 40 - first)
  const summary = await renderAll(vitrine, options)
  assert.deepEqual([summary.done, summary.total, summary.failed], [40, 40, 0])
  assert.equal((await readdir(root, { recursive: true })).filter(name => name.endsWith('.jpg')).length, 40)
  assert.equal(await service.balance(key), 960)
  const again = await renderAll(vitrine, options)
  assert.deepEqual([again.done, again.creditsUsed], [40, 0])
})

test('a request whose answer was made before the run was killed is repeated as it was, without a charge', async () => {
  const { vitrine, key } = await openAccount()
  const journal = memoryJournal()
  const options = { designs: makeDesigns(1), templates, output, save: memorySaver() }
  const killed = {
    ...journal,
    append: (entry: JournalEntry) =>
      entry.type === 'done' ? Promise.reject(new Error('killed')) : journal.append(entry),
  }
  await assert.rejects(renderAll(vitrine, { ...options, journal: killed }), /killed/)
  assert.equal(options.save.saved.size, 2, 'what was paid for is kept nevertheless')
  assert.equal(await service.balance(key), 998)
  const saver = memorySaver()
  const summary = await renderAll(vitrine, { ...options, save: saver, journal })
  assert.deepEqual([summary.done, summary.creditsUsed, saver.saved.size], [2, 0, 2])
  assert.equal(await service.balance(key), 998)
})

test('a mockup that cannot be kept is a failure, the others are kept, and it is made again without a charge', async () => {
  const { vitrine, key } = await openAccount()
  const journal = memoryJournal()
  const saver = memorySaver()
  const refused = new Error('no such name')
  const picky = {
    ...saver,
    save: (rendered: Rendered) => {
      if (saver.nameOf(rendered) === 'design-1/one-frame') throw refused
      saver.save(rendered)
    },
  }
  const options = { designs: makeDesigns(3), templates, output, journal, concurrency: 1 }
  const first = await renderAll(vitrine, { ...options, save: picky })
  assert.deepEqual([first.done, first.failed, first.stopped], [5, 1, null])
  assert.deepEqual(first.failures, [{ design: 'design-1', template: 'one-frame', error: refused }])
  const second = await renderAll(vitrine, { ...options, save: saver })
  assert.deepEqual([second.done, second.creditsUsed, saver.saved.size], [6, 0, 6])
  assert.equal(await service.balance(key), 994)
})

test('a run stops where the disk is full, and where none of several requests could be kept', async () => {
  const { vitrine, key } = await openAccount()
  const options = { designs: makeDesigns(6), templates, output, concurrency: 1 }
  const full = Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
  const stopped = await renderAll(vitrine, { ...options, save: { ...memorySaver(), save: () => Promise.reject(full) } })
  assert.deepEqual([stopped.stopped, stopped.failed, stopped.creditsUsed], [full, 2, 2])
  const gone = { ...memorySaver(), save: () => Promise.reject(new Error('gone')) }
  const useless = await renderAll(vitrine, { ...options, save: gone })
  assert.deepEqual([String(useless.stopped), useless.failed, useless.creditsUsed], ['Error: gone', 6, 6])
  assert.equal(await service.balance(key), 992)
})

test('a design may have a placement of its own, given or found when its turn comes', async () => {
  const { vitrine } = await openAccount()
  const saver = memorySaver()
  const placement = { fit: 'contain', scale: 0.5 } as const
  const designs = [
    { id: 'plain', artwork },
    { id: 'own', artwork, output: { placement } },
    { id: 'found', artwork, output: async () => ({ placement }) },
    { id: 'broken', artwork, output: () => Promise.reject(new Error('unreadable')) },
  ]
  const summary = await renderAll(vitrine, { designs, templates: ['one-frame'], output: { width: 100 }, save: saver })
  assert.deepEqual([summary.done, summary.failed, String(summary.failures[0]?.error)], [3, 1, 'Error: unreadable'])
  const [plain, own, found] = ['plain', 'own', 'found'].map(id => saver.saved.get(`${id}/one-frame`)?.bytes)
  assert.notDeepEqual(own, plain)
  assert.deepEqual(found, own)
})

test('what one template or one picture spoils is in the summary, and the rest is done', async () => {
  const { vitrine } = await openAccount()
  const saver = memorySaver()
  const designs = [
    { id: 'good', artwork },
    { id: 'no-picture', artwork: new Blob(['no picture']) },
    { id: 'gone', artwork: () => Promise.reject(new Error('no such file')) },
    { id: 'by-frame', artwork: [artwork, artwork] },
  ]
  const summary = await renderAll(vitrine, {
    designs,
    templates: ['one-frame', 'nowhere', 'two-frames'],
    output,
    save: saver,
  })
  const failures = summary.failures.map(({ design, template, error }) => {
    const code = isVitrineError(error) ? error.code : String(error)
    return `${design} ${template} ${code}`
  })
  assert.deepEqual(failures.sort(), [
    'by-frame nowhere TEMPLATE_NOT_FOUND',
    'gone nowhere Error: no such file',
    'gone one-frame Error: no such file',
    'gone two-frames Error: no such file',
    'good nowhere TEMPLATE_NOT_FOUND',
    'no-picture nowhere TEMPLATE_NOT_FOUND',
    'no-picture one-frame INVALID_ARTWORK',
    'no-picture two-frames INVALID_ARTWORK',
  ])
  assert.deepEqual([...saver.saved.keys()].sort(), [
    'by-frame/one-frame',
    'by-frame/two-frames',
    'good/one-frame',
    'good/two-frames',
  ])
  assert.deepEqual([summary.done, summary.failed, summary.total, summary.stopped], [4, 8, 12, null])
})

test('a run stops where the credits end, and before it would use more than it may', async () => {
  const { vitrine } = await openAccount(5)
  const poor = await renderAll(vitrine, {
    designs: makeDesigns(5),
    templates,
    output,
    save: memorySaver(),
    concurrency: 1,
  })
  assert.deepEqual([poor.done, poor.creditsRemaining, poor.failed], [4, 1, 0])
  assert.ok(isVitrineError(poor.stopped, 'INSUFFICIENT_CREDITS'))

  const rich = await openAccount()
  const bounded = { designs: makeDesigns(5), templates, output, save: memorySaver(), maxCredits: 7 }
  const summary = await renderAll(rich.vitrine, bounded)
  assert.deepEqual([summary.done, summary.creditsUsed, summary.stopped], [6, 6, 'max-credits'])
  assert.equal(await service.balance(rich.key), 994)
})

test('two mockups of one name, and a journal of other pictures, are refused before the first credit', async () => {
  const { vitrine, key } = await openAccount()
  const journal = memoryJournal()
  for (const ids of [
    ['same', 'same'],
    ['a:b', 'a?b'],
    ['Capital', 'capital'],
  ]) {
    const designs = ids.map(id => ({ id, artwork }))
    const run = renderAll(vitrine, { designs, templates, output, save: folder(path.join(scratch, 'names')), journal })
    await assert.rejects(
      run,
      error =>
        error instanceof TypeError &&
        /comes twice/.test(error.message) &&
        ids.every(id => error.message.includes(`${JSON.stringify(id)} in one-frame`)),
    )
  }
  await journal.append({ type: 'run', output: '{"width":4000}' })
  await assert.rejects(
    renderAll(vitrine, { designs: makeDesigns(1), templates, output, save: memorySaver(), journal }),
    TypeError,
  )
  assert.equal(await service.balance(key), 1000)
})

test('where the service is busy all wait, and fewer requests are sent at a time; then more again', async () => {
  const batch: Scripted = {
    status: 200,
    headers: { 'X-Credits-Used': '1', 'X-Credits-Remaining': '9' },
    body: { results: [{ template_id: 't', image: 'eA==', content_type: 'image/jpeg', artwork: [] }], duration_ms: 1 },
  }
  const busy = errorAnswer(503, 'SERVER_BUSY', { 'Retry-After': '1' })
  await using scripted = await startScriptedService([
    ...Array.from({ length: 4 }, () => busy),
    ...Array.from({ length: 9 }, () => batch),
  ])
  const vitrine = new Vitrine({ apiKey: 'k', baseUrl: scripted.url })
  const summary = await renderAll(vitrine, { designs: makeDesigns(9), templates: ['t'], save: memorySaver() })
  assert.deepEqual([summary.done, summary.failed, scripted.asked.length], [9, 0, 13])
  const keys = scripted.asked.map(({ headers }) => headers['idempotency-key'])
  assert.equal(new Set(keys).size, 9, 'a request keeps its key')
})

test('a service that asks to wait for hours stops the run', async () => {
  await using scripted = await startScriptedService([
    errorAnswer(429, 'RATE_LIMIT_EXCEEDED', { 'Retry-After': '3600' }),
  ])
  const vitrine = new Vitrine({ apiKey: 'k', baseUrl: scripted.url })
  const save = memorySaver()
  const { stopped, failed } = await renderAll(vitrine, {
    designs: makeDesigns(3),
    templates: ['t'],
    save,
    concurrency: 1,
  })
  assert.ok(isVitrineError(stopped) && stopped.retryAfterMs === 3_600_000)
  assert.deepEqual([failed, scripted.asked.length], [0, 1])
})
