import assert from 'node:assert/strict'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { TestService } from '../http/test-service.ts'
import { plainPicture } from '../mockups/test-bundle.ts'
import { runVitrine } from './run-vitrine.ts'
import { makeScratchFolder } from './scratch-folder.ts'

const scratch = makeScratchFolder('batch-command')
const designs = path.join(scratch, 'designs')
const out = path.join(scratch, 'mockups')
let service: TestService
before(async () => {
  service = await TestService.start('sqlite')
  await mkdir(path.join(designs, 'summer'), { recursive: true })
  await writeFile(path.join(designs, 'red.png'), await plainPicture(20, 20, [255, 0, 0]))
  await writeFile(path.join(designs, 'summer/blue.PNG'), await plainPicture(20, 20, [0, 0, 255]))
  await writeFile(path.join(designs, 'broken.jpg'), 'no picture')
  await writeFile(path.join(designs, 'notes.txt'), 'no design')
})
after(() => service[Symbol.asyncDispose]())

const batch = (key: string, ...options: readonly string[]) =>
  runVitrine(['batch', designs, '--out', out, '--width', '16', ...options, '--json'], {
    VITRINE_URL: service.running.url,
    VITRINE_API_KEY: key,
  })

test('every picture of the folder is made in every template; the same command goes on and pays for nothing again', async () => {
  const { key } = await service.customer(100)
  const planned = await batch(key, '--templates', 'all', '--dry-run')
  assert.deepEqual(planned.json, { total: 6, left: 6, requests: 3, credits_available: 100 })
  const first = await batch(key, '--templates', 'all', '--concurrency', '1', '--max-credits', '3')
  assert.equal(first.code, 1)
  assert.deepEqual([first.json['done'], first.json['credits_used'], first.json['stopped']], [2, 2, 'max-credits'])
  assert.match(first.stderr, /3 designs in 2 templates: 6 mockups, 0 of them done; 6 credits of 100, 3 requests/)
  const second = await batch(key, '--templates', 'all')
  assert.deepEqual([second.code, second.json['done'], second.json['credits_used']], [1, 4, 2])
  const failures = second.json['failures']
  assert.ok(Array.isArray(failures))
  assert.deepEqual(failures.map(failure => `${failure.design} ${failure.template} ${failure.code}`).sort(), [
    'broken one-frame INVALID_ARTWORK',
    'broken two-frames INVALID_ARTWORK',
  ])
  assert.match(second.stderr, /\nbroken in one-frame: /)
  assert.match(second.stderr, /4 of 6, 2 failed, 2 credits used, 96 left/)
  const files = (await readdir(out, { recursive: true })).filter(name => name.endsWith('.jpg')).sort()
  assert.deepEqual(files, [
    'red/one-frame.jpg',
    'red/two-frames.jpg',
    'summer_blue/one-frame.jpg',
    'summer_blue/two-frames.jpg',
  ])
  assert.equal(await service.balance(key), 96)
})

test('what cannot work is refused in a sentence before the first credit', async () => {
  const { key } = await service.customer(100)
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--templates', 'one-frame', '--names', '{template}.jpg'], /a name of its own for every mockup/],
    [['--templates', 'all', '--placement', '[1]'], /a JSON object/],
    [['--templates', 'all', '--width', '17'], /the output of the journal/],
  ]
  for (const [options, sentence] of cases) {
    const { code, stderr, json } = await batch(key, ...options)
    assert.equal(code, 1)
    assert.match(String(json['error']), sentence)
    assert.match(stderr, /^vitrine: /m)
  }
  const wrongKey = await batch('vt_000000000000000000000000000000000000', '--templates', 'all')
  assert.match(wrongKey.stderr, /key/)
  const args = ['batch', designs, '--out', out, '--templates', 'one-frame']
  assert.match((await runVitrine(args, {})).stderr, /Expected VITRINE_URL in the environment/)
  assert.match((await runVitrine(['batch', scratch, ...args.slice(2)], {})).stderr, /VITRINE_URL/)
  assert.equal(await service.balance(key), 100)
})
