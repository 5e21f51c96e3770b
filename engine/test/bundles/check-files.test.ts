import { describe, it } from 'node:test'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { assertFault, type Promised, square } from './describe-rules.ts'
import { goodBundle, goodMapBundle, goodMapDescription, jsonBytes, png } from './make-bundle.ts'

describe('a bundle is refused by its files, one rule at a time:', () => {
  type FileRule = Promised & {
    readonly rule: string
    readonly change: (files: Record<string, Uint8Array>) => Promise<void> | void
    readonly file: string
    readonly bundle?: () => Promise<Record<string, Uint8Array>>
  }
  const replace = (name: string, bytes: Promise<Uint8Array>) => async (files: Record<string, Uint8Array>) => {
    files[name] = await bytes
  }
  const picture = (width: number, height: number): ReturnType<typeof sharp> =>
    sharp({ create: { width, height, channels: 3, background: '#808080' } })
  const rules: readonly FileRule[] = [
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
      rule: 'a frame has corners or a map, not both',
      change: f => {
        f['template.json'] = jsonBytes({
          ...goodMapDescription(),
          frames: [{ aspect_ratio: 1, uvmap: 'uv.png', corners: square }],
        })
      },
      file: 'template.json',
      expected: /corners or a uvmap, not both/,
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
  for (const { rule, change, file, bundle = goodBundle, ...promised } of rules) {
    it(rule, async () => {
      const files = await bundle()
      await change(files)
      await assertFault(files, fault => fault.file === file && promised.expected.test(fault.expected), promised)
    })
  }
})
