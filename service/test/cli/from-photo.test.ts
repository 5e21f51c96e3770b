import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { before, test } from 'node:test'
import { encodePng } from '@vitrine/engine'
import { makeTemplate, outlinesOf, parseDrawing } from '@vitrine/photo'
import { MemoryStore } from '../../../engine/test/memory-store.ts'
import { drawingHead, flatFrame, smallPhoto } from '../../../photo/test/small-photo.ts'
import { runHere } from './run-here.ts'
import type { Ran } from './run-vitrine.ts'
import { makeScratchFolder } from './scratch-folder.ts'

const folder = makeScratchFolder('from-photo')
const drawing = { ...drawingHead, frames: [flatFrame] }
const fromPhoto = (...more: readonly string[]): Promise<Ran> =>
  runHere(['template', 'from-photo', 'Blank frame.png', ...more], {}, folder)
const draw = (name: string, content: object): Promise<void> =>
  writeFile(path.join(folder, name), JSON.stringify(content))

before(async () => {
  const { data, ...size } = smallPhoto()
  await writeFile(path.join(folder, 'Blank frame.png'), await encodePng({ ...size, channels: 3, samples: data }))
  await draw('drawing.json', drawing)
})

test('a photo and a drawing become a bundle without warnings, and doubts are reported', async () => {
  const { code, stdout, stderr } = await fromPhoto('--drawing', 'drawing.json', '--out', 'made')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Blank frame {2}320 x 280, tone shoulder0\.7\nframe 0 {2}\d+ x \d+ px, on #ffffff\n/)
  assert.match(stdout, /Wrote made\/ \(\d+\.\d MB\)\. Check: vitrine template check made\n$/)
  const files = await readdir(path.join(folder, 'made'))
  assert.ok(files.includes('drawing.json') && files.includes('template.json'), files.join())
  assert.deepEqual(JSON.parse(await readFile(path.join(folder, 'made/drawing.json'), 'utf8')), drawing)
  const checked = await runHere(['template', 'check', 'made'], {}, folder)
  assert.match(checked.stdout, /The template blank-frame can be imported: 0 errors, 0 warnings/)
})

test('brush strokes become a part with a selectable colour, with the same bytes that the package makes', async () => {
  const strokes = [70, 105, 140, 175, 210].map(y => ({
    points: [
      [88, y],
      [232, y],
    ],
    radius: 26,
  }))
  const leaf = {
    points: [
      [60, 240],
      [110, 190],
    ],
    radius: 9,
  }
  const brushed = { ...drawing, frames: [{ ...flatFrame, front: [leaf] }], product: { strokes } }
  await draw('strokes.json', brushed)
  const { code, stdout, stderr } = await fromPhoto('--drawing', 'strokes.json', '--out', 'dyeable', '--id', 'dyeable')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /\nproduct {2}#ffffff\nWrote /)
  const store = new MemoryStore()
  const details = { id: 'dyeable', name: 'Blank frame', category: 'From photos' }
  const photo = smallPhoto()
  const outlines = outlinesOf(photo, parseDrawing(brushed))
  const { files } = await makeTemplate(details, photo, brushed, outlines, { store })
  assert.ok(files.includes('product-mask.png'), files.join())
  for (const name of files) {
    const written = await readFile(path.join(folder, 'dyeable', name))
    assert.ok(written.equals(await store.read(name)), name)
  }
})

test('a product that would look bad dyed is reported too', async () => {
  const { data, ...size } = smallPhoto(0.05, 0)
  await writeFile(path.join(folder, 'black.png'), await encodePng({ ...size, channels: 3, samples: data }))
  const frame = { ...flatFrame, surface: 'fabric', color: 'auto' }
  const strokes = [{ points: [[160, 140]], radius: 70 }]
  await draw('black.json', { ...drawingHead, frames: [frame], product: { strokes } })
  const { code, stdout, stderr } = await runHere(
    ['template', 'from-photo', 'black.png', '--drawing', 'black.json', '--out', 'black'],
    {},
    folder,
  )
  assert.equal(code, 0, stderr)
  assert.match(stdout, /\nproduct {2}#[0-9a-f]{6}\n {2}doubtful: The product is nearly black in the photo: .+\nWrote /)
})

test('without a folder it is imported together with its drawing', async () => {
  const { code, json, stderr } = await fromPhoto(
    '--drawing',
    'drawing.json',
    '--json',
    '--id',
    'wall',
    '--name',
    'Wall',
  )
  assert.equal(code, 0, stderr)
  assert.deepEqual([json['template_id'], json['version'], json['out'], json['clearDifference']], ['wall', 1, null, 1])
})

test('a failure is reported in one sentence', async () => {
  await draw('faulty.json', { ...drawing, frames: [{ ...flatFrame, surface: 'wood' }] })
  const beside = { points: [[-40, -40]], radius: 5 }
  await draw('brushed.json', { ...drawing, product: { strokes: [beside] } })
  await writeFile(path.join(folder, 'note.txt'), 'mine')
  const refusals: readonly (readonly [readonly string[], RegExp])[] = [
    [['--drawing', 'faulty.json'], /"ceramic" for frames\[0\]\.surface \(drawing\.json\) but received "wood"\./],
    [['--drawing', 'brushed.json'], /The brush found no product\. Brush over all of it\./],
    [['--drawing', 'note.txt'], /Expected JSON in UTF-8 for the drawing/],
    [['--drawing', 'drawing.json', '--out', '.'], /exists already and is no template from a photo/],
  ]
  for (const [options, expected] of refusals) {
    const { code, stderr } = await fromPhoto(...options)
    assert.equal(code, 1, options.join(' '))
    assert.match(stderr, expected)
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
  }
  const { code, stderr } = await runHere(
    ['template', 'from-photo', 'note.txt', '--drawing', 'drawing.json'],
    {},
    folder,
  )
  assert.equal(code, 1)
  assert.match(stderr, /Expected/)
})
