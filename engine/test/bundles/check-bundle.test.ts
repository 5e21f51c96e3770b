import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { createSharpCodec } from '../../src/node/create-sharp-codec.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { describeFault, type Fault } from '../../src/template/bundle-error.ts'
import { checkBundle } from '../../src/template/check-bundle.ts'
import { buildTemplateSchema } from '../../src/template/template-schema.ts'
import {
  bundleOf,
  goodBundle,
  goodDescription,
  goodMapBundle,
  goodMapDescription,
  jsonBytes,
  png,
} from './make-bundle.ts'

const codec = createSharpCodec()

async function check(files: Record<string, Uint8Array>): Promise<{ ok: boolean; faults: readonly Fault[] }> {
  const { template, faults } = await checkBundle(bundleOf(files), codec)
  return { ok: template !== null, faults }
}

type Description = ReturnType<typeof goodDescription>
type Frame = Record<string, unknown>

/** The good description with one thing changed. */
function changed(change: (description: Description, frame: Frame) => void): Description {
  const description = goodDescription()
  change(description, description.frames[0] ?? {})
  return description
}

function withLighting(frame: Frame, lighting: unknown): void {
  frame['lighting'] = lighting
}

type Case = {
  readonly rule: string
  readonly change: (description: Description, frame: Frame) => void
  readonly field: string
  readonly expected: RegExp
  readonly received: RegExp
  readonly severity?: 'warning'
}

const SQUARE = [
  [10, 10],
  [70, 10],
  [70, 80],
  [10, 80],
] as const

const cases: readonly Case[] = [
  { rule: 'format is 1', change: d => (d['format'] = 2), field: 'format', expected: /the number 1/, received: /^2$/ },
  {
    rule: 'format is there',
    change: d => delete d['format'],
    field: 'format',
    expected: /the number 1/,
    received: /nothing/,
  },
  {
    rule: 'id has small letters, digits and -',
    change: d => (d['id'] = 'Oak_Frame'),
    field: 'id',
    expected: /a-z, 0-9 and -/,
    received: /Oak_Frame/,
  },
  {
    rule: 'id has 2 characters at least',
    change: d => (d['id'] = 'a'),
    field: 'id',
    expected: /2 to 64/,
    received: /"a"/,
  },
  {
    rule: 'id has 64 characters at most',
    change: d => (d['id'] = 'a'.repeat(65)),
    field: 'id',
    expected: /2 to 64/,
    received: /aaa/,
  },
  {
    rule: 'name is there',
    change: d => delete d['name'],
    field: 'name',
    expected: /text of 1 to 200/,
    received: /nothing/,
  },
  { rule: 'name is not blank', change: d => (d['name'] = '  '), field: 'name', expected: /text/, received: /"  "/ },
  { rule: 'name is text', change: d => (d['name'] = 7), field: 'name', expected: /text/, received: /7/ },
  {
    rule: 'category is there',
    change: d => delete d['category'],
    field: 'category',
    expected: /text/,
    received: /nothing/,
  },
  {
    rule: 'type is print or product',
    change: d => (d['type'] = 'poster'),
    field: 'type',
    expected: /"print" or "product"/,
    received: /poster/,
  },
  {
    rule: 'surface_type is text or null',
    change: d => (d['surface_type'] = 5),
    field: 'surface_type',
    expected: /text/,
    received: /5/,
  },
  {
    rule: 'a print has no surface_type',
    change: d => (d['type'] = 'print'),
    field: 'surface_type',
    expected: /null/,
    received: /paper/,
    severity: 'warning',
  },
  {
    rule: 'render_mode is corners or uvmap',
    change: d => (d['render_mode'] = 'mesh'),
    field: 'render_mode',
    expected: /"corners" or "uvmap"/,
    received: /mesh/,
  },
  {
    rule: 'blending_mode is a known one',
    change: d => (d['blending_mode'] = 'multipy'),
    field: 'blending_mode',
    expected: /perhaps "multiply"/,
    received: /multipy/,
  },
  {
    rule: 'blending_mode of a lit frame is normal',
    change: d => (d['blending_mode'] = 'multiply'),
    field: 'blending_mode',
    expected: /"normal", because a frame has lighting/,
    received: /multiply/,
  },
  {
    rule: 'scene is a file name',
    change: d => (d['scene'] = 1),
    field: 'scene',
    expected: /name of a file/,
    received: /1/,
  },
  {
    rule: 'paths stay in the folder',
    change: d => (d['scene'] = '../scene.png'),
    field: 'scene',
    expected: /inside the folder/,
    received: /\.\.\/scene/,
  },
  {
    rule: 'paths are relative',
    change: d => (d['scene'] = '/etc/scene.png'),
    field: 'scene',
    expected: /relative/,
    received: /etc/,
  },
  {
    rule: 'paths have no drive',
    change: d => (d['scene'] = 'C:scene.png'),
    field: 'scene',
    expected: /relative/,
    received: /C:/,
  },
  {
    rule: 'paths have forward slashes',
    change: d => (d['scene'] = 'a\\b.png'),
    field: 'scene',
    expected: /forward slashes/,
    received: /a/,
  },
  {
    rule: 'tone is a known one',
    change: d => (d['tone'] = 'linear'),
    field: 'tone',
    expected: /"srgb" or "shoulder0.7"/,
    received: /linear/,
  },
  {
    rule: 'tone needs lighting',
    change: (d, f) => {
      delete f['lighting']
      delete f['surface_color']
      d['tone'] = 'shoulder0.7'
    },
    field: 'tone',
    expected: /"srgb", because no frame has lighting/,
    received: /shoulder/,
  },
  {
    rule: 'frames is a list',
    change: d => {
      Reflect.set(d, 'frames', {})
    },
    field: 'frames',
    expected: /a list of 1 to 16/,
    received: /\{\}/,
  },
  {
    rule: 'there is a frame',
    change: d => {
      d.frames = []
      delete d['tone']
    },
    field: 'frames',
    expected: /a list of 1 to 16/,
    received: /a list of 0/,
  },
  {
    rule: 'there are 16 frames at most',
    change: (d, f) => (d.frames = Array.from({ length: 17 }, () => f)),
    field: 'frames',
    expected: /1 to 16/,
    received: /a list of 17/,
  },
  {
    rule: 'a frame is an object',
    change: d => {
      Reflect.set(d.frames, 1, 'x')
    },
    field: 'frames[1]',
    expected: /an object/,
    received: /"x"/,
  },
  {
    rule: 'aspect_ratio is there',
    change: (_, f) => delete f['aspect_ratio'],
    field: 'frames[0].aspect_ratio',
    expected: /a number/,
    received: /nothing/,
  },
  {
    rule: 'aspect_ratio is above 0',
    change: (_, f) => (f['aspect_ratio'] = 0),
    field: 'frames[0].aspect_ratio',
    expected: /from 0.01 to 100/,
    received: /0/,
  },
  {
    rule: 'corners are there',
    change: (_, f) => delete f['corners'],
    field: 'frames[0].corners',
    expected: /four corners/,
    received: /nothing/,
  },
  {
    rule: 'there are four corners',
    change: (_, f) => (f['corners'] = SQUARE.slice(1)),
    field: 'frames[0].corners',
    expected: /four corners/,
    received: /\[\[70/,
  },
  {
    rule: 'a corner is two numbers',
    change: (_, f) => (f['corners'] = [SQUARE[0], SQUARE[1], [70, '80'], SQUARE[3]]),
    field: 'frames[0].corners[2]',
    expected: /two numbers/,
    received: /"80"/,
  },
  {
    rule: 'corners do not cross',
    change: (_, f) => (f['corners'] = [SQUARE[0], SQUARE[2], SQUARE[1], SQUARE[3]]),
    field: 'frames[0].corners',
    expected: /no crossing/,
    received: /\[\[10/,
  },
  {
    rule: 'corners are convex',
    change: (_, f) => (f['corners'] = [SQUARE[0], SQUARE[1], [20, 20], SQUARE[3]]),
    field: 'frames[0].corners',
    expected: /inward/,
    received: /20/,
  },
  {
    rule: 'corners span an area',
    change: (_, f) =>
      (f['corners'] = [
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
      ]),
    field: 'frames[0].corners',
    expected: /span an area/,
    received: /3/,
  },
  {
    rule: 'mirrored corners are named',
    change: (_, f) => (f['corners'] = [SQUARE[1], SQUARE[0], SQUARE[3], SQUARE[2]]),
    field: 'frames[0].corners',
    expected: /mirrors the artwork/,
    received: /70/,
    severity: 'warning',
  },
  {
    rule: 'corners lie within four scene sizes',
    change: (_, f) => (f['corners'] = [SQUARE[0], [601, 10], SQUARE[2], SQUARE[3]]),
    field: 'frames[0].corners[1]',
    expected: /within 4 scene sizes.*120 x 90/,
    received: /601/,
  },
  {
    rule: 'a corners template has no map',
    change: (_, f) => (f['uvmap'] = 'front.png'),
    field: 'frames[0].uvmap',
    expected: /no uvmap/,
    received: /front/,
  },
  {
    rule: 'opacity is 0 to 1',
    change: (_, f) => (f['opacity'] = 1.01),
    field: 'frames[0].opacity',
    expected: /from 0 to 1/,
    received: /1.01/,
  },
  {
    rule: 'opacity is a number',
    change: (_, f) => (f['opacity'] = '1'),
    field: 'frames[0].opacity',
    expected: /a number/,
    received: /"1"/,
  },
  {
    rule: 'surface_color is a colour',
    change: (_, f) => (f['surface_color'] = 'white'),
    field: 'frames[0].surface_color',
    expected: /like "#ffffff"/,
    received: /white/,
  },
  {
    rule: 'surface_color needs lighting',
    change: (d, f) => {
      delete f['lighting']
      delete d['tone']
    },
    field: 'frames[0].surface_color',
    expected: /lighting beside it/,
    received: /none/,
    severity: 'warning',
  },
  {
    rule: 'lighting is an object',
    change: (_, f) => withLighting(f, 'shade.png'),
    field: 'frames[0].lighting',
    expected: /an object/,
    received: /shade/,
  },
  {
    rule: 'lighting has a shade',
    change: (_, f) => withLighting(f, { highlights: 'layers/highlights.png' }),
    field: 'frames[0].lighting.shade',
    expected: /name of a file/,
    received: /nothing/,
  },
  {
    rule: 'scale is above 0',
    change: (_, f) => withLighting(f, { shade: 'layers/shade.png', scale: 0 }),
    field: 'frames[0].lighting.scale',
    expected: /a number/,
    received: /0/,
  },
  {
    rule: 'unknown fields are named, with a suggestion',
    change: d => (d['catgory'] = 'x'),
    field: 'catgory',
    expected: /perhaps "category"/,
    received: /unknown field "catgory"/,
  },
  {
    rule: 'unknown fields of a frame are named',
    change: (_, f) => (f['colour'] = 'x'),
    field: 'frames[0].colour',
    expected: /a known field/,
    received: /unknown field "colour"/,
  },
  {
    rule: 'unknown fields of lighting are named',
    change: (_, f) => withLighting(f, { shade: 'layers/shade.png', scal: 2 }),
    field: 'frames[0].lighting.scal',
    expected: /perhaps "scale"/,
    received: /scal/,
  },
  {
    rule: 'unknown fields of a layer are named',
    change: (_, f) => (f['mask'] = { image: 'layers/mask.png', region: [0, 0, 9, 9], x: 1 }),
    field: 'frames[0].mask.x',
    expected: /a known field/,
    received: /"x"/,
  },
  {
    rule: 'unknown fields of an overlay are named',
    change: d => (d.overlays = [{ image: 'front.png', opactiy: 1 }]),
    field: 'overlays[0].opactiy',
    expected: /perhaps "opacity"/,
    received: /opactiy/,
  },
  {
    rule: 'a region has four numbers',
    change: (_, f) => (f['mask'] = { image: 'layers/mask.png', region: [0, 0, 9] }),
    field: 'frames[0].mask.region',
    expected: /\[x, y, width, height\]/,
    received: /\[0,0,9\]/,
  },
  {
    rule: 'a region has an area',
    change: (_, f) => (f['mask'] = { image: 'layers/mask.png', region: [0, 0, 9, 0] }),
    field: 'frames[0].mask.region',
    expected: /above 0/,
    received: /9,0/,
  },
  {
    rule: 'a region lies on the scene',
    change: (_, f) => (f['mask'] = { image: 'layers/mask.png', region: [120, 0, 9, 9] }),
    field: 'frames[0].mask.region',
    expected: /lies on the scene/,
    received: /120/,
  },
  {
    rule: 'a region is near the scene',
    change: (_, f) => (f['mask'] = { image: 'layers/mask.png', region: [0, 0, 601, 9] }),
    field: 'frames[0].mask.region',
    expected: /within 4 scene sizes/,
    received: /601/,
  },
  {
    rule: 'an overlay has an image',
    change: d => (d.overlays = [{ opacity: 1 }]),
    field: 'overlays[0].image',
    expected: /name of a file/,
    received: /nothing/,
  },
  {
    rule: 'an overlay has a known blending_mode',
    change: d => (d.overlays = [{ image: 'front.png', blending_mode: 'x' }]),
    field: 'overlays[0].blending_mode',
    expected: /"normal"/,
    received: /"x"/,
  },
  {
    rule: 'there are 8 overlays at most',
    change: d => (d.overlays = Array.from({ length: 9 }, () => ({ image: 'front.png' }))),
    field: 'overlays',
    expected: /0 to 8/,
    received: /a list of 9/,
  },
  {
    rule: 'the thumbnail is a file',
    change: d => (d['thumbnail'] = 'tumbnail.png'),
    field: 'thumbnail',
    expected: /a file in the bundle/,
    received: /there is "thumbnail.png"/,
  },
  {
    rule: 'named files are there',
    change: d => (d['scene'] = 'Scene.png'),
    field: 'scene',
    expected: /a file in the bundle/,
    received: /there is "scene.png"/,
  },
]

describe('a bundle is refused by its description, one rule at a time:', () => {
  for (const { rule, change, field, expected, received, severity } of cases) {
    it(rule, async () => {
      const files = await goodBundle()
      files['template.json'] = jsonBytes(changed(change))
      const { ok, faults } = await check(files)
      const fault = faults.find(fault => fault.field === field)
      assert.ok(fault, `no fault at ${field}: ${faults.map(describeFault).join(' | ')}`)
      assert.match(fault.expected, expected)
      assert.match(fault.received, received)
      assert.equal(fault.severity, severity ?? 'error')
      assert.equal(ok, severity === 'warning')
    })
  }
})

describe('the JSON Schema of template.json', () => {
  const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true }).compile(
    buildTemplateSchema(),
  )

  it('accepts good descriptions, and warnings', () => {
    assert.ok(validate(goodDescription()), JSON.stringify(validate.errors))
    assert.ok(validate(goodMapDescription()), JSON.stringify(validate.errors))
    for (const { rule, change, severity } of cases)
      if (severity === 'warning') assert.ok(validate(changed(change)), rule)
  })

  it('refuses what the check refuses, but for what needs the files, geometry or another field', () => {
    const beyond = cases
      .filter(({ change, severity }) => severity === undefined && validate(changed(change)))
      .map(({ rule }) => rule)
    assert.deepEqual(beyond, [
      'blending_mode of a lit frame is normal',
      'tone needs lighting',
      'corners do not cross',
      'corners are convex',
      'corners span an area',
      'corners lie within four scene sizes',
      'a region lies on the scene',
      'a region is near the scene',
      'the thumbnail is a file',
      'named files are there',
    ])
  })
})

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
          surfaceColor: { red: 255, green: 255, blue: 255 },
          lighting: null,
        },
      ],
      overlays: [],
      thumbnail: null,
    })
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

describe('a bundle is refused by its files, one rule at a time:', () => {
  type FileCase = {
    readonly rule: string
    readonly change: (files: Record<string, Uint8Array>) => Promise<void> | void
    readonly file: string
    readonly expected: RegExp
    readonly received: RegExp
    readonly severity?: 'warning'
    readonly bundle?: () => Promise<Record<string, Uint8Array>>
  }
  const replace = (name: string, bytes: Promise<Uint8Array>) => async (files: Record<string, Uint8Array>) => {
    files[name] = await bytes
  }
  const picture = (width: number, height: number): ReturnType<typeof sharp> =>
    sharp({ create: { width, height, channels: 3, background: '#808080' } })
  const fileCases: readonly FileCase[] = [
    {
      rule: 'template.json is there',
      change: f => {
        delete f['template.json']
      },
      file: '',
      expected: /a file template.json/,
      received: /nothing/,
    },
    {
      rule: 'template.json is JSON',
      change: f => {
        f['template.json'] = Buffer.from('{"format": 1,}')
      },
      file: 'template.json',
      expected: /JSON in UTF-8/,
      received: /JSON/,
    },
    {
      rule: 'template.json is UTF-8',
      change: f => {
        f['template.json'] = Buffer.from([0x7b, 0xff, 0x7d])
      },
      file: 'template.json',
      expected: /UTF-8/,
      received: /another encoding/,
    },
    {
      rule: 'template.json is an object',
      change: f => {
        f['template.json'] = Buffer.from('[]')
      },
      file: 'template.json',
      expected: /an object/,
      received: /\[\]/,
    },
    {
      rule: 'template.json is small',
      change: f => {
        f['template.json'] = Buffer.alloc(1024 * 1024 + 1, 32)
      },
      file: 'template.json',
      expected: /at most 1 MiB/,
      received: /1048577/,
    },
    {
      rule: 'the scene is a picture',
      change: f => {
        f['scene.png'] = Buffer.from('hello')
      },
      file: 'scene.png',
      expected: /a JPEG, PNG, WebP/,
      received: /another type/,
    },
    {
      rule: 'the scene is whole',
      change: f => {
        f['scene.png'] = f['scene.png']?.subarray(0, 60) ?? Buffer.alloc(0)
      },
      file: 'scene.png',
      expected: /a whole picture|pixels/,
      received: /too early|damaged/,
    },
    {
      rule: 'the scene is no GIF',
      change: replace('scene.png', picture(120, 90).gif().toBuffer()),
      file: 'scene.png',
      expected: /JPEG, PNG or WebP/,
      received: /GIF/,
    },
    {
      rule: 'the scene is no CMYK',
      change: replace('scene.png', picture(120, 90).toColourspace('cmyk').jpeg().toBuffer()),
      file: 'scene.png',
      expected: /sRGB/,
      received: /CMYK/,
    },
    {
      rule: 'the scene is upright',
      change: replace('scene.png', picture(120, 90).withMetadata({ orientation: 6 }).jpeg().toBuffer()),
      file: 'scene.png',
      expected: /orientation 1/,
      received: /orientation 6/,
    },
    {
      rule: 'the scene has 8,000 px a side at most',
      change: replace('scene.png', png(8001, 2001)),
      file: 'scene.png',
      expected: /at most 8000 px/,
      received: /8001 x 2001/,
    },
    {
      rule: 'the scene has 40 megapixels at most',
      change: replace('scene.png', png(8000, 5001, 'b-w')),
      file: 'scene.png',
      expected: /40 megapixels/,
      received: /8000 x 5001/,
    },
    {
      rule: 'the scene is at most four times as wide as high',
      change: replace('scene.png', png(401, 100)),
      file: 'scene.png',
      expected: /between 1:4 and 4:1/,
      received: /401 x 100/,
    },
    {
      rule: 'the scene is at most four times as high as wide',
      change: replace('scene.png', png(100, 401)),
      file: 'scene.png',
      expected: /between 1:4 and 4:1/,
      received: /100 x 401/,
    },
    {
      rule: 'a scene of another colour space is named',
      change: replace('scene.png', picture(120, 90).withIccProfile('p3').png().toBuffer()),
      file: 'scene.png',
      expected: /sRGB/,
      received: /another colour profile/,
      severity: 'warning',
    },
    {
      rule: 'a scene of 16 bits is named',
      change: replace('scene.png', png(120, 90, 'rgb16')),
      file: 'scene.png',
      expected: /8 bits/,
      received: /16 bits/,
      severity: 'warning',
    },
    {
      rule: 'a scene with alpha is named',
      change: replace('scene.png', picture(120, 90).ensureAlpha(0.5).png().toBuffer()),
      file: 'scene.png',
      expected: /without transparency/,
      received: /alpha/,
      severity: 'warning',
    },
    {
      rule: 'a mask is grey',
      change: replace(
        'layers/mask.png',
        sharp({ create: { width: 9, height: 9, channels: 3, background: '#ff0000' } })
          .png()
          .toBuffer(),
      ),
      file: 'layers/mask.png',
      expected: /a grey picture/,
      received: /coloured/,
    },
    {
      rule: 'a mask has 8 bits',
      change: replace('layers/mask.png', png(9, 9, 'grey16')),
      file: 'layers/mask.png',
      expected: /8 bits/,
      received: /16 bits/,
    },
    {
      rule: 'an overlay is a picture',
      change: f => {
        f['front.png'] = new Uint8Array(0)
      },
      file: 'front.png',
      expected: /a picture/,
      received: /empty/,
    },
    {
      rule: 'files that nothing uses are named',
      change: f => {
        f['old.png'] = Buffer.from('x')
      },
      file: 'old.png',
      expected: /names/,
      received: /nothing uses/,
      severity: 'warning',
    },
    {
      rule: 'a uv map has 16 bits',
      change: replace('uv.png', png(9, 9)),
      file: 'uv.png',
      expected: /16-bit RGB/,
      received: /an 8-bit RGB PNG/,
      bundle: goodMapBundle,
    },
    {
      rule: 'a uv map has colour',
      change: replace('uv.png', png(9, 9, 'grey16')),
      file: 'uv.png',
      expected: /16-bit RGB/,
      received: /a 16-bit grey PNG/,
      bundle: goodMapBundle,
    },
    {
      rule: 'a uv map is no JPEG',
      change: replace('uv.png', picture(9, 9).jpeg().toBuffer()),
      file: 'uv.png',
      expected: /16-bit RGB/,
      received: /JPEG/,
      bundle: goodMapBundle,
    },
    {
      rule: 'a map template has no corners',
      change: f => {
        f['template.json'] = jsonBytes({
          ...goodMapDescription(),
          frames: [{ aspect_ratio: 1, uvmap: 'uv.png', corners: SQUARE }],
        })
      },
      file: 'template.json',
      expected: /no corners/,
      received: /10/,
      bundle: goodMapBundle,
    },
    {
      rule: 'a map template has maps',
      change: f => {
        f['template.json'] = jsonBytes({ ...goodMapDescription(), frames: [{ aspect_ratio: 1 }] })
      },
      file: 'template.json',
      expected: /name of a file/,
      received: /nothing/,
      bundle: goodMapBundle,
    },
  ]
  for (const { rule, change, file, expected, received, severity, bundle } of fileCases) {
    it(rule, async () => {
      const files = await (bundle ?? goodBundle)()
      await change(files)
      const { ok, faults } = await check(files)
      const fault = faults.find(fault => fault.file === file && expected.test(fault.expected))
      assert.ok(fault, `no such fault: ${faults.map(describeFault).join(' | ')}`)
      assert.match(fault.received, received)
      assert.equal(fault.severity, severity ?? 'error')
      assert.equal(ok, severity === 'warning')
    })
  }
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
