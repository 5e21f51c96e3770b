import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { parseTemplate, type Template } from '@vitrine/engine'
import { runVitrine } from '../../test/cli/run-vitrine.ts'
import { makeScratchFolder } from '../../test/cli/scratch-folder.ts'
import { makeLogo, plainPicture, writeBundle } from '../../test/mockups/test-bundle.ts'
import { proposePlacements } from './render-here.ts'

const scratch = makeScratchFolder('render-here')
const logo = { bytes: makeLogo() }
const opaque = { bytes: await plainPicture(20, 20, [1, 2, 3]) }
const bundle = await writeBundle(scratch, 'two', 2)

async function makeTemplate(type: 'print' | 'product'): Promise<Template> {
  const file = path.join(bundle, 'template.json')
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), type }))
  return parseTemplate(JSON.parse(await readFile(file, 'utf8')))
}

test('a logo on a product is proposed whole with a margin; prints and opaque pictures fill the frame', async () => {
  const [print, product] = [await makeTemplate('print'), await makeTemplate('product')]
  const { all } = await proposePlacements(product, logo)
  assert.deepEqual([all?.fit, all?.scale, all?.x, all?.rotation], ['contain', 0.8, 0.5, 0])
  assert.deepEqual(await proposePlacements(product, opaque), {})
  assert.deepEqual(await proposePlacements(product, { bytes: Buffer.from('no picture') }), {})
  assert.deepEqual(await proposePlacements(print, logo), {})
  const { byFrame } = await proposePlacements(
    product,
    new Map([
      [0, opaque],
      [1, logo],
    ]),
  )
  assert.deepEqual([...(byFrame ?? [])], [[1, all]])
})

test('render shows a logo on a product whole, unless its options say otherwise', async () => {
  await makeTemplate('product')
  const artwork = path.join(scratch, 'logo.png')
  await writeFile(artwork, logo.bytes)
  const render = async (...options: readonly string[]) => {
    const out = path.join(scratch, 'out.png')
    const { code, stderr } = await runVitrine(['render', bundle, artwork, '-o', out, '--width', '100', ...options], {})
    assert.deepEqual([code, stderr], [0, ''])
    return readFile(out)
  }
  const whole = await render('--fit', 'contain', '--scale', '0.8')
  assert.deepEqual(await render(), whole)
  assert.notDeepEqual(await render('--fit', 'cover'), whole)
})
