import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { displacedPsd, evenMapPsd } from '../../../psd/test/displaced-file.ts'
import { namedProfile, paint, pixelLayer, withProfile, writePsd } from '../../../psd/test/make-psd.ts'
import { mockupPsd } from '../../../psd/test/mockup-file.ts'
import { shirtPsd } from '../../../psd/test/shirt-file.ts'
import { runHere } from './run-here.ts'
import type { Ran } from './run-vitrine.ts'
import { makeScratchFolder } from './scratch-folder.ts'

const folder = makeScratchFolder('psd')
const importFile = async (name: string, bytes: Uint8Array, ...more: readonly string[]): Promise<Ran> => {
  await writeFile(path.join(folder, name), bytes)
  return runHere(['template', 'import', name, ...more], {}, folder)
}

test('a Photoshop file is imported, and can be used at once', async () => {
  const { code, stdout, stderr } = await importFile('shop.psd', mockupPsd())
  assert.equal(code, 0, stderr)
  assert.match(stdout, /verified: 0\.\d\d of 255[^]*\nImported shop \(version 1\)\.\n$/)
  await assert.rejects(readdir(path.join(folder, 'shop')), { code: 'ENOENT' })
  const again = await importFile('shop.psd', mockupPsd(), '--json')
  assert.deepEqual([again.json['template_id'], again.json['version'], again.json['out']], ['shop', 1, null])
  const listed = await runHere(['template', 'list', '--json'], {}, folder)
  assert.match(listed.stdout, /"template_id":"shop"/)
})

test('a Photoshop file becomes a bundle that can be checked, with a report', async () => {
  const { code, stdout, stderr } = await importFile('poster.psd', mockupPsd(), '--no-import')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^poster\.psd {2}96 x 72, 8 bits, no profile \(taken as sRGB\), 3 layers\n/)
  assert.match(stdout, /frame {2}"Your design here" {3}48 x 36, four corners, multiply +verified: 0\.\d\d of 255/)
  assert.match(stdout, /Wrote poster\/ \(\d+\.\d MB\)\. Check: vitrine template check poster\n$/)
  assert.deepEqual((await readdir(path.join(folder, 'poster'))).sort(), [
    'import.json',
    'layer-0.png',
    'scene.png',
    'template.json',
  ])
  const checked = await runHere(['template', 'check', 'poster'], {}, folder)
  assert.match(checked.stdout, /can be imported: 0 errors, 0 warnings/)
  const again = await importFile('poster.psd', mockupPsd(), '--json', '--no-import')
  assert.equal(again.code, 0, again.stderr)
  assert.deepEqual([again.json['result'], again.json['template_id']], ['verified', null])
  assert.equal(again.json['out'], path.join(folder, 'poster'))
})

test('a template that differs from Photoshop’s picture is written, and exit code 2 reports the doubt', async () => {
  const bytes = mockupPsd({ merged: () => [90, 160, 220] })
  const { code, json, stderr } = await importFile('doubtful.psd', bytes, '--out', 'made', '--json')
  assert.equal(code, 2)
  assert.deepEqual([json['result'], json['template_id']], ['different', null])
  assert.match(stderr, /Not imported, because it is in doubt\. If it looks right: vitrine template import made\n$/)
  const stored: unknown = JSON.parse(await readFile(path.join(folder, 'made/import.json'), 'utf8'))
  assert.ok(typeof stored === 'object' && stored !== null && 'result' in stored && stored.result === 'different')
})

test('a template may be smaller than its file', async () => {
  const { code, stdout, stderr } = await importFile('large.psd', mockupPsd(), '--width', '48')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^large\.psd {2}96 x 72 \(reduced to 48 x 36\), 8 bits/)
  const wrong = await importFile('large.psd', mockupPsd(), '--width', '12.5')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /a whole number of pixels from 16 for --width but received "12\.5"/)
})

test('a layer of one colour becomes a colour of the template, and a wrong choice says what is expected', async () => {
  const { code, stdout, stderr } = await importFile('shirt.psd', shirtPsd(), '--color', 'shirt=Shirt color')
  assert.equal(code, 0, stderr)
  assert.match(stdout, /color {2}"shirt" {3}#c8283c, from the layer "Shirt color" +verified: 0\.\d\d of 255/)
  const wrong = await importFile('shirt.psd', shirtPsd(), '--color', 'Shirt color')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /Expected a name .* like shirt="Shirt color", but received "Shirt color"/)
})

test('a file whose colours are not sRGB is written, and exit code 2 reports the doubt', async () => {
  const bytes = withProfile(mockupPsd(), namedProfile('Adobe RGB (1998)'))
  const { code, stdout } = await importFile('wide.psd', bytes)
  assert.equal(code, 2)
  assert.match(stdout, /in doubt {2}the colours have a profile \(Adobe RGB \(1998\)\) and were taken as sRGB/)
  const stored: unknown = JSON.parse(await readFile(path.join(folder, 'wide/import.json'), 'utf8'))
  assert.ok(typeof stored === 'object' && stored !== null && 'doubts' in stored && Array.isArray(stored.doubts))
  assert.equal(stored.doubts.length, 1)
})

test('a file without a smart object is refused, and a folder with other content is not changed', async () => {
  const flat = writePsd(8, 8, [pixelLayer('ground', 0, 0, paint(8, 8, [9, 9, 9]))])
  const refused = await importFile('flat.psd', flat, '--json')
  assert.equal(refused.code, 1)
  assert.match(String(refused.json['error']), /convert the layer that shows the design to a smart object/)
  await assert.rejects(readdir(path.join(folder, 'flat')), { code: 'ENOENT' })
  await mkdir(path.join(folder, 'mine'))
  await writeFile(path.join(folder, 'mine/notes.txt'), 'mine')
  const other = await importFile('poster2.psd', mockupPsd(), '--out', 'mine')
  assert.equal(other.code, 1)
  assert.match(other.stderr, /exists already and is no import of a Photoshop file/)
  assert.deepEqual(await readdir(path.join(folder, 'mine')), ['notes.txt'])
})

test('a displacement map is found beside the file, ignoring case, also with --frame', async () => {
  const psd = displacedPsd({ horizontalScale: 50, verticalScale: 100 })
  const alone = await importFile('cloth.psd', psd, '--json')
  assert.equal(alone.code, 1)
  assert.match(alone.stderr, /moves the design by the file "Folds\.psd", which is not in this one/)
  await writeFile(path.join(folder, 'folds.PSD'), evenMapPsd)
  for (const more of [[], ['--frame', 'Your design here']]) {
    const { code, json, stderr } = await importFile(
      'cloth.psd',
      psd,
      '--json',
      '--no-import',
      '--out',
      'cloth',
      ...more,
    )
    assert.ok(code === 0 || code === 2, stderr)
    const frames = json['frames']
    assert.ok(Array.isArray(frames))
    assert.deepEqual([frames.map(({ kind }) => kind), json['notes']], [['uvmap'], []])
  }
})
