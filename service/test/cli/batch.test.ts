import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { TestService } from '../http/test-service.ts'
import { makeLogo, plainPicture, writeBundle } from '../mockups/test-bundle.ts'
import { runHere } from './run-here.ts'
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

/** Progress is written by the program alone. */
const run = (key: string, args: readonly string[], by = runHere) =>
  by(['batch', '--width', '16', ...args, '--json'], { VITRINE_URL: service.running.url, VITRINE_API_KEY: key })
const batch = (key: string, ...options: readonly string[]) => run(key, [designs, '--out', out, ...options])

/** A folder with a picture at each of these paths. */
async function makeDesigns(name: string, ...files: readonly string[]): Promise<string> {
  const root = path.join(scratch, name)
  for (const file of files) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), await plainPicture(20, 20, [0, 255, 0]))
  }
  return root
}

test('every picture of the folder is rendered in every template; a repeated command continues and pays for nothing twice', async () => {
  const { key } = await service.customer(100)
  const planned = await batch(key, '--templates', 'all', '--dry-run')
  assert.deepEqual(planned.json, { total: 6, left: 6, requests: 3, credits_available: 100 })
  const all = [designs, '--out', out, '--templates', 'all']
  const first = await run(key, [...all, '--concurrency', '1', '--max-credits', '3'], runVitrine)
  assert.equal(first.code, 1)
  assert.deepEqual([first.json['done'], first.json['credits_used'], first.json['stopped']], [2, 2, 'max-credits'])
  assert.match(first.stderr, /3 designs in 2 templates: 6 mockups, 0 of them done; 6 credits of 100, 3 requests/)
  const second = await run(key, all, runVitrine)
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

test('errors are reported in a sentence before the first credit is spent', async () => {
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
  assert.match((await runHere(args, {})).stderr, /Expected VITRINE_URL in the environment/)
  assert.match((await runHere(['batch', scratch, ...args.slice(2)], {})).stderr, /VITRINE_URL/)
  assert.equal(await service.balance(key), 100)
})

test('this command’s own mockups are not used as designs, wherever they are', async () => {
  const { key } = await service.customer(100)
  const root = await makeDesigns('inside', 'a.png')
  const inside = [root, '--templates', 'one-frame', '--out', path.join(root, 'mockups')]
  for (const credits of [1, 0]) {
    const { json } = await run(key, inside)
    assert.deepEqual([json['total'], json['done'], json['credits_used']], [1, 1, credits])
  }
  const into = await run(key, [root, '--out', root, '--templates', 'one-frame'])
  assert.match(String(into.json['error']), /outside of the designs/)
  assert.equal(await service.balance(key), 99)
})

test('system files, hidden files and links are not used as designs; links are counted', async () => {
  const { key } = await service.customer(100)
  const left = [
    '._a.png',
    '.hidden.png',
    '.thumbnails/a.png',
    '@eaDir/a.png/SYNO.jpg',
    '__MACOSX/a.png',
    '#recycle/b.png',
  ]
  const root = await makeDesigns('systems', 'a.png', 'sub/c.png', 'sub/@eaDir/c.png', ...left)
  await writeFile(path.join(root, 'Thumbs.db'), 'x')
  await symlink(path.join(root, 'a.png'), path.join(root, 'linked.png'))
  await symlink(designs, path.join(root, 'linked-folder'))
  const args = [root, '--templates', 'one-frame', '--out', path.join(scratch, 'systems-out')]
  const { code, json, stderr } = await run(key, args, runVitrine)
  assert.deepEqual([code, json['total'], json['done'], json['failed']], [0, 2, 2, 0])
  assert.match(stderr, /left out 2 links/)
})

test('no file name aborts a run, and what is paid for is saved', async () => {
  const { key } = await service.customer(100)
  const long = 'x'.repeat(240)
  const root = await makeDesigns('names', 'a.png', `${'x'.repeat(220)}.png`, `${long}/${long}.png`, 'z.png')
  const place = path.join(scratch, 'names-out')
  const args = [root, '--templates', 'all', '--out', place, '--names', '{design}-{template}.{ext}']
  const { code, json } = await run(key, args)
  assert.deepEqual([code, json['done'], json['failed'], json['credits_used']], [0, 8, 0, 8])
  assert.equal((await readdir(place)).filter(name => name.endsWith('.jpg')).length, 8)
  const again = await run(key, args)
  assert.deepEqual([again.code, again.json['credits_used']], [0, 0])
  // A folder exists at the path of one mockup.
  const taken = path.join(scratch, 'taken-out')
  await mkdir(path.join(taken, 'a/one-frame.jpg/x'), { recursive: true })
  const some = await run(key, [root, '--templates', 'one-frame', '--out', taken])
  assert.deepEqual([some.code, some.json['done'], some.json['failed'], some.json['stopped']], [1, 3, 1, null])
})

test('a logo is shown whole on products, fills prints, and is placed as requested if it is', async () => {
  const { key } = await service.customer(100)
  const bundles = path.join(scratch, 'bundles')
  const bundle = await writeBundle(bundles, 'product')
  const description = JSON.parse(await readFile(path.join(bundle, 'template.json'), 'utf8'))
  await writeFile(path.join(bundle, 'template.json'), JSON.stringify({ ...description, type: 'product' }))
  await service.addBundles(bundle)
  const root = await makeDesigns('logos', 'opaque.png')
  await writeFile(path.join(root, 'logo.png'), makeLogo())
  const pictures = async (name: string, ...options: readonly string[]) => {
    const place = path.join(scratch, name)
    const templates = ['--templates', 'one-frame,product', '--width', '200', '--format', 'png']
    const { json } = await run(key, [root, '--out', place, ...templates, ...options])
    assert.deepEqual([json['done'], json['credits_used']], [4, 4])
    return (file: string) => readFile(path.join(place, file))
  }
  const proposed = await pictures('proposed')
  const filled = await pictures('filled', '--placement', '{"fit": "cover"}')
  const whole = await pictures('whole', '--placement', '{"fit": "contain", "scale": 0.8}')
  assert.deepEqual(await proposed('logo/product.png'), await whole('logo/product.png'))
  assert.notDeepEqual(await proposed('logo/product.png'), await filled('logo/product.png'))
  assert.deepEqual(await proposed('logo/one-frame.png'), await filled('logo/one-frame.png'))
  for (const file of ['opaque/product.png', 'opaque/one-frame.png'])
    assert.deepEqual(await proposed(file), await filled(file))
})
