import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createSharpCodec } from '../../src/node/create-sharp-codec.ts'
import { describeFault } from '../../src/template/bundle-error.ts'
import { checkBundle } from '../../src/template/check-bundle.ts'
import { changed, check } from './describe-rules.ts'
import { bundleOf, goodBundle, goodMapBundle, jsonBytes } from './make-bundle.ts'

const codec = createSharpCodec()

describe('a good bundle', () => {
  it('has no fault and gives its template, defaults applied', async () => {
    const { template, faults } = await checkBundle(bundleOf(await goodBundle()), codec)
    assert.deepEqual(faults, [])
    assert.deepEqual(template?.frames[0]?.surfaceColor, { red: 250, green: 250, blue: 240 })
    assert.deepEqual(template?.frames[0]?.lighting?.shade.region, { x: 5, y: 5, width: 70, height: 80 })
    assert.equal(template?.blendMode, 'normal')
    assert.equal(template?.frames[0]?.opacity, 1)
  })

  it('of a map has no fault, and its defaults are those of the format', async () => {
    const { template, faults } = await checkBundle(bundleOf(await goodMapBundle()), codec)
    assert.deepEqual(faults, [])
    assert.deepEqual(template, {
      format: 1,
      id: 'mug',
      name: 'Mug',
      category: 'Mugs',
      type: 'product',
      surfaceType: 'ceramic',
      renderMode: 'uvmap',
      blendMode: 'multiply',
      scene: 'scene.png',
      tone: 'srgb',
      frames: [
        {
          aspectRatio: 2.2,
          placement: { kind: 'uvmap', uvmap: { image: 'uv.png', region: null } },
          mask: null,
          opacity: 1,
          slot: null,
          blendMode: null,
          fill: 1,
          inner: [],
          effects: [],
          blur: 0,
          motionBlur: null,
          sharpen: null,
          filterMask: null,
          surface: null,
          surfaceColor: { red: 255, green: 255, blue: 255 },
          lighting: null,
          darkLighting: null,
        },
      ],
      colors: [],
      overlays: [],
      stack: null,
      maxWidth: null,
      thumbnail: null,
      drawing: null,
      sharesBundle: false,
    })
  })

  it('may have a drawing, which is JSON of at most 1 MiB and one of its files', async () => {
    const files = await goodBundle()
    const description: object = JSON.parse(new TextDecoder().decode(files['template.json']))
    const drawn = jsonBytes({ ...description, drawing: 'drawing.json' })
    const check = (drawing: Uint8Array) =>
      checkBundle(bundleOf({ ...files, 'template.json': drawn, 'drawing.json': drawing }), codec)
    const { template, faults, usedPaths } = await check(jsonBytes({ format: 1 }))
    assert.deepEqual(faults, [])
    assert.equal(template?.drawing, 'drawing.json')
    assert.ok(usedPaths.has('drawing.json'))
    for (const bad of [new TextEncoder().encode('{'), new Uint8Array(1024 * 1024 + 1).fill(32)]) {
      const { template, faults } = await check(bad)
      assert.equal(template, null)
      assert.deepEqual([faults[0]?.file, faults[0]?.field], ['drawing.json', 'drawing'])
    }
    const missing = await checkBundle(bundleOf({ ...files, 'template.json': drawn }), codec)
    assert.match(missing.faults.map(fault => fault.expected).join(), /a file in the bundle/)
  })

  it('says which of its files it uses, each once, and notes are none of them', async () => {
    for (const files of [await goodBundle(), await goodMapBundle()]) {
      const { usedPaths } = await checkBundle(bundleOf({ ...files, 'README.md': Buffer.from('x') }), codec)
      assert.deepEqual([...usedPaths].sort(), Object.keys(files).sort())
    }
  })

  it('may say null for the surface colour, which is white', async () => {
    const files = await goodBundle()
    files['template.json'] = jsonBytes(changed((_, f) => (f['surface_color'] = null)))
    const { template, faults } = await checkBundle(bundleOf(files), codec)
    assert.deepEqual(faults, [])
    assert.deepEqual(template?.frames[0]?.surfaceColor, { red: 255, green: 255, blue: 255 })
  })

  it('may come with notes and a licence', async () => {
    const notes = { 'SOURCES.md': Buffer.from('x'), LICENSE: Buffer.from('x'), 'layers/readme.txt': Buffer.from('x') }
    assert.deepEqual((await check({ ...(await goodBundle()), ...notes })).faults, [])
  })

  it('may begin with a byte order mark, and an overlay may carry its region beside its image', async () => {
    const files = await goodBundle()
    const description = changed(d => (d.overlays = [{ image: 'front.png', region: [0, 0, 60, 90] }]))
    files['template.json'] = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), jsonBytes(description)])
    const { template, faults } = await checkBundle(bundleOf(files), codec)
    assert.deepEqual(faults, [])
    assert.deepEqual(template?.overlays[0]?.layer.region, { x: 0, y: 0, width: 60, height: 90 })
  })

  it('may have corners outside the scene up to four of its sizes', async () => {
    const files = await goodBundle()
    const far = [
      [-480, -360],
      [600, -360],
      [600, 450],
      [-480, 450],
    ]
    files['template.json'] = jsonBytes(changed((_, f) => (f['corners'] = far)))
    assert.deepEqual((await check(files)).faults, [])
  })
})

it('all faults of a bundle are found in one run, of its fields and of its files', async () => {
  const files = await goodBundle()
  files['template.json'] = jsonBytes(
    changed((d, f) => {
      d['id'] = 'X'
      d['scene'] = 'missing.png'
      f['opacity'] = 2
      d['extra'] = 1
    }),
  )
  files['layers/mask.png'] = Buffer.from('no picture')
  const { faults } = await check(files)
  const places = faults.filter(fault => fault.severity === 'error').map(fault => fault.field)
  assert.deepEqual(new Set(places), new Set(['id', 'scene', 'frames[0].opacity', 'extra', 'frames[0].mask']))
})

it('a fault reads as one sentence with file, field, expectation and value', () => {
  const fault = { file: 'a.png', field: 'scene', expected: 'a picture', received: 'text', severity: 'error' } as const
  assert.equal(describeFault(fault), 'Expected a picture for scene (a.png) but received text.')
  assert.equal(
    describeFault({ ...fault, file: 'template.json', field: 'id' }),
    'Expected a picture for id but received text.',
  )
})
