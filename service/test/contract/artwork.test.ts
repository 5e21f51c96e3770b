import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { batchResult, templateList } from '@vitrine/contract'
import sharp from 'sharp'
import { manyScans } from '../hostile/jpeg-files.ts'
import { describeOnOneDatabase, errorOf, type TestService } from '../http/test-service.ts'
import { writeBundle } from '../mockups/test-bundle.ts'

type Url = string | ((origin: string) => string)
const urlOf = (url: Url, { origin }: TestService) => (typeof url === 'string' ? url : url(origin.url))

const refused: readonly [row: string, url: Url, status: number, code: string, details?: unknown][] = [
  ['a literal loopback address', 'http://127.0.0.1/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['a loopback address in one number', 'http://2130706433/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['a loopback address in IPv6', 'http://[::ffff:127.0.0.1]/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['a private address', 'http://10.0.0.1/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['the metadata address', 'http://169.254.169.254/latest/meta-data/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['localhost', 'http://localhost/', 400, 'ARTWORK_URL_FORBIDDEN'],
  ['a redirect to a private address', origin => `${origin}/to-private`, 400, 'ARTWORK_URL_FORBIDDEN'],
  ['404', origin => `${origin}/status/404`, 400, 'IMAGE_URL_NOT_FOUND'],
  ['410', origin => `${origin}/status/410`, 400, 'IMAGE_URL_NOT_FOUND'],
  ['403', origin => `${origin}/status/403`, 400, 'ARTWORK_FETCH_FAILED', { reason: 'bad_status', status: 403 }],
  ['500', origin => `${origin}/status/500`, 400, 'ARTWORK_FETCH_FAILED', { reason: 'bad_status', status: 500 }],
  [
    'a name that does not exist',
    'http://no-such-name.invalid/',
    400,
    'ARTWORK_FETCH_FAILED',
    { reason: 'name_not_resolved' },
  ],
  ['a connection that is reset', origin => `${origin}/reset`, 400, 'ARTWORK_FETCH_FAILED'],
  ['6 redirects', origin => `${origin}/redirect/6`, 400, 'ARTWORK_FETCH_FAILED', { reason: 'too_many_redirects' }],
  ['over 20 MB', origin => `${origin}/large`, 413, 'ARTWORK_FILE_TOO_LARGE'],
  ['an answer that never comes', origin => `${origin}/stall`, 408, 'IMAGE_FETCH_TIMEOUT'],
  ['bytes that are no picture', origin => `${origin}/text`, 400, 'INVALID_ARTWORK'],
  ['no bytes', origin => `${origin}/empty`, 400, 'INVALID_ARTWORK'],
]

/** Eight by four pixels; all columns and rows differ. */
const picture = () => {
  const pixels = Buffer.from(Array.from({ length: 8 * 4 * 3 }, (_, i) => (i * 37) % 256))
  return sharp(pixels, { raw: { width: 8, height: 4, channels: 3 } })
}

async function animatedGif(): Promise<Buffer> {
  const frames = await Promise.all([picture().png().toBuffer(), picture().negate().png().toBuffer()])
  return sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
}

/** A PNG that claims to be this large, and contains almost nothing. */
function pngOf(widthPx: number, heightPx: number, form: readonly [depth: number, interlacing: 0 | 1] = [8, 0]): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    check.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, check])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(widthPx, 0)
  head.writeUInt32BE(heightPx, 4)
  head.set([form[0], 6, 0, 0, form[1]], 8)
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(head)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function uploadOf(bytes: Buffer): FormData {
  const form = new FormData()
  form.set('template_id', 'one-frame')
  form.set('width', '16')
  form.set('artwork', new Blob([new Uint8Array(bytes)]), 'artwork')
  return form
}

/** interface.md, "Artwork picture": accepted files. */
const accepted: readonly (readonly [row: string, build: () => Promise<Buffer>])[] = [
  ['JPEG', () => picture().jpeg().toBuffer()],
  ['a progressive JPEG', () => picture().jpeg({ progressive: true }).toBuffer()],
  ['a CMYK JPEG', () => picture().toColourspace('cmyk').jpeg().toBuffer()],
  ['a grey JPEG', () => picture().greyscale().jpeg().toBuffer()],
  ['PNG', () => picture().png().toBuffer()],
  ['a PNG of 16 bits', () => picture().toColourspace('rgb16').png().toBuffer()],
  ['a PNG with a palette', () => picture().png({ palette: true }).toBuffer()],
  ['a PNG with alpha', () => picture().ensureAlpha(0.5).png().toBuffer()],
  ['a PNG with another ICC profile', () => picture().withIccProfile('p3').png().toBuffer()],
  ['WebP', () => picture().webp().toBuffer()],
  ['GIF', () => picture().gif().toBuffer()],
  ['an animated GIF', animatedGif],
]

/** Rejected files. */
const rejected: readonly (readonly [row: string, reason: string, build: () => Promise<Buffer>])[] = [
  ['TIFF', 'unsupported_type', () => picture().tiff().toBuffer()],
  ['AVIF', 'unsupported_type', () => picture().avif().toBuffer()],
  [
    'SVG',
    'unsupported_type',
    async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'),
  ],
  ['PDF', 'unsupported_type', async () => Buffer.from('%PDF-1.7\n')],
  [
    'a truncated JPEG',
    'truncated',
    async () => {
      const whole = await sharp({
        create: {
          width: 300,
          height: 300,
          channels: 3,
          background: 'red',
          noise: { type: 'gaussian', mean: 128, sigma: 60 },
        },
      })
        .jpeg()
        .toBuffer()
      return whole.subarray(0, whole.length / 2)
    },
  ],
  [
    'a PNG with a flipped bit',
    'corrupt',
    async () => {
      const bytes = await picture().png().toBuffer()
      const at = bytes.indexOf('IDAT') + 8
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return bytes
    },
  ],
  ['a JPEG of 101 scans', 'too_complex', async () => manyScans(64, 64, 100)],
  ['513 MiB decoded', 'too_many_pixels', async () => pngOf(8208, 8192, [16, 0])],
  ['257 MiB decoded, interlaced', 'too_many_pixels', async () => pngOf(8224, 8192, [8, 1])],
  ['101 megapixels', 'too_many_pixels', async () => pngOf(10_100, 10_000)],
  ['a side of 16,385', 'too_many_pixels', async () => pngOf(16_385, 1)],
]

describeOnOneDatabase(
  'interface.md, "Artwork download" and "Artwork picture"',
  use => {
    for (const [row, url, status, code, details] of refused)
      test(`${row}: ${status} ${code}, and the credit is given back`, async () => {
        const service = use()
        const { key } = await service.customer(1)
        const body = { template_id: 'one-frame', artwork_url: urlOf(url, service), width: 16 }
        const answer = await service.generate(key, body)
        assert.deepEqual([answer.status, errorOf(answer).code], [status, code], JSON.stringify(answer.json))
        if (details !== undefined) assert.deepEqual(errorOf(answer).details, details)
        assert.equal(await service.balance(key), 1)
      })

    for (const [row, build] of accepted)
      test(`${row}: 200`, async () => {
        const service = use()
        const { key } = await service.customer(1)
        const answer = await service.generate(key, uploadOf(await build()))
        assert.equal(answer.status, 200, JSON.stringify(answer.json))
        assert.equal(await service.balance(key), 0)
      })

    for (const [row, reason, build] of rejected)
      test(`${row}: 400 INVALID_ARTWORK, ${reason}, and the credit is given back`, async () => {
        const service = use()
        const { key } = await service.customer(1)
        const answer = await service.generate(key, uploadOf(await build()))
        assert.deepEqual([answer.status, errorOf(answer).code], [400, 'INVALID_ARTWORK'], JSON.stringify(answer.json))
        assert.deepEqual(errorOf(answer).details, { reason })
        assert.equal(await service.balance(key), 1)
      })

    test('an artwork rotated by its EXIF orientation gives the same mockup as a rotated one', async () => {
      const service = use()
      const { key } = await service.customer(2)
      const upright = await picture().rotate(90).png().toBuffer()
      const tagged = await picture().withMetadata({ orientation: 6 }).png().toBuffer()
      const [first, second] = [
        await service.generate(key, uploadOf(upright)),
        await service.generate(key, uploadOf(tagged)),
      ]
      assert.equal(first.status, 200)
      assert.deepEqual(second.bytes, first.bytes)
    })

    test('of an animated GIF the first frame is shown', async () => {
      const service = use()
      const { key } = await service.customer(2)
      const [animated, still] = [await animatedGif(), await picture().gif().toBuffer()]
      const first = await service.generate(key, uploadOf(animated))
      assert.equal(first.status, 200)
      assert.deepEqual((await service.generate(key, uploadOf(still))).bytes, first.bytes)
    })

    test('where the artwork is transparent the scene shows', async () => {
      const service = use()
      const { key } = await service.customer(2)
      const shown = async (alpha: number) => {
        const form = uploadOf(await picture().ensureAlpha(alpha).png().toBuffer())
        form.set('format', 'png')
        return (await service.generate(key, form)).bytes
      }
      const clear = await sharp(await shown(0))
        .raw()
        .toBuffer()
      const solid = await sharp(await shown(1))
        .raw()
        .toBuffer()
      const isScene = (pixels: Buffer) => pixels.every(value => value === 120)
      assert.deepEqual([isScene(clear), isScene(solid)], [true, false])
    })

    test('no metadata of the artwork is in the mockup', async () => {
      const service = use()
      const { key } = await service.customer(2)
      const exif = { IFD0: { Copyright: 'OF-ITS-MAKER' }, IFD3: { GPSLatitude: '52/1 31/1 0/1' } }
      const artwork = await picture().withExif(exif).withXmp('<x>OF-ITS-MAKER</x>').jpeg().toBuffer()
      assert.ok(artwork.includes('OF-ITS-MAKER'))
      for (const format of ['jpeg', 'png'] as const) {
        const form = uploadOf(artwork)
        form.set('format', format)
        const answer = await service.generate(key, form)
        assert.equal(answer.status, 200, JSON.stringify(answer.json))
        const { exif: kept, xmp, comments } = await sharp(answer.bytes).metadata()
        assert.deepEqual([kept, xmp, comments], [undefined, undefined, undefined])
        assert.ok(!answer.bytes.includes('OF-ITS-MAKER') && !answer.bytes.includes('Exif'))
      }
    })

    test('5 redirects are followed', async () => {
      const service = use()
      const { key } = await service.customer()
      const answer = await service.generate(key, {
        template_id: 'one-frame',
        artwork_url: `${service.origin.url}/redirect/5`,
        width: 16,
      })
      assert.equal(answer.status, 200)
    })

    test('the same URL for two frames is fetched once', async () => {
      const service = use()
      const { key } = await service.customer()
      const url = `${service.origin.url}/red.png?once`
      const answer = await service.generate(key, {
        template_id: 'two-frames',
        artwork_urls: { 0: url, 1: url },
        width: 16,
      })
      assert.equal(answer.status, 200)
      assert.equal(service.origin.asked.filter(path => path === '/red.png?once').length, 1)
    })

    test('an error of one frame’s artwork names the frame', async () => {
      const service = use()
      const { key } = await service.customer()
      const { url } = service.origin
      const answer = await service.generate(key, {
        template_id: 'two-frames',
        artwork_urls: { 0: `${url}/red.png`, 1: `${url}/text` },
        width: 16,
      })
      assert.deepEqual(
        [errorOf(answer).code, errorOf(answer).details],
        ['INVALID_ARTWORK', { reason: 'unsupported_type', frame: 1 }],
      )
    })

    test('a slot accepts one artwork for its frames, in JSON and in a form, with placements and in a batch', async () => {
      const service = use()
      const { key } = await service.customer()
      const { url } = service.origin
      const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-slots-'))
      for (const [id, slots] of [
        ['mugs', ['design', 'back', 'design']],
        ['cups', ['back', 'design']],
      ] as const) {
        const bundle = await writeBundle(folder, id, slots.length, [], slots)
        await service.addBundles(bundle)
      }
      await rm(folder, { recursive: true })
      const listed = templateList.parse((await service.send({ key })).json).templates.find(({ id }) => id === 'mugs')
      assert.deepEqual(
        listed?.frames.map(({ slot }) => slot),
        ['design', 'back', 'design'],
      )
      const ask = (artwork_urls: Record<string, string>, more: object = {}) =>
        service.generate(key, { template_id: 'mugs', artwork_urls, width: 100, format: 'png', ...more })
      const [red, blue] = [`${url}/red.png`, `${url}/blue.png`]
      const placed = { placements: { 0: { scale: 0.5 }, 1: { flip: 'horizontal' }, 2: { scale: 0.5 } } }
      const byIndex = await ask({ 0: red, 1: blue, 2: red }, placed)
      assert.equal(byIndex.status, 200)
      const bySlot = await ask({ design: red, back: blue }, { placements: { design: { scale: 0.5 } } })
      assert.deepEqual(bySlot.bytes, byIndex.bytes)
      assert.notDeepEqual((await ask({ design: blue, back: red }, placed)).bytes, byIndex.bytes)
      assert.deepEqual((await ask({ design: blue, 2: red, back: blue, 0: red }, placed)).bytes, byIndex.bytes)

      const form = new FormData()
      for (const [name, from] of [
        ['artwork.design', red],
        ['artwork.back', blue],
      ] as const)
        form.set(name, await (await fetch(from)).blob(), 'picture.png')
      for (const [name, value] of Object.entries({ template_id: 'mugs', width: '100', format: 'png' }))
        form.set(name, value)
      form.set('placements', JSON.stringify({ design: { scale: 0.5 } }))
      assert.deepEqual((await service.generate(key, form)).bytes, byIndex.bytes)

      const both = { template_id: null, template_ids: ['cups', 'mugs'], response_format: 'json', placements: null }
      const batch = batchResult.parse((await ask({ design: red, back: blue }, both)).json)
      const alone = await ask({ 0: blue, 1: red }, { template_id: 'cups' })
      assert.deepEqual(Buffer.from(batch.results[0]?.image ?? '', 'base64'), Buffer.from(alone.bytes))

      const missing = errorOf(await ask({ back: blue }))
      assert.deepEqual(missing.details, { missing_frames: [{ template_id: 'mugs', frames: [0, 2] }] })
      const unknown = errorOf(await ask({ desing: red, back: blue }))
      assert.deepEqual(unknown.details, { invalid_frames: ['desing'], frame_count: 3, slots: ['design', 'back'] })
      const damaged = errorOf(await ask({ design: `${url}/text`, back: blue }))
      assert.deepEqual(damaged.details, { reason: 'unsupported_type', frame: 'design' })
    })

    test('the query of an artwork URL is in no log line', async () => {
      const service = use()
      const { key } = await service.customer()
      await service.generate(key, {
        template_id: 'one-frame',
        artwork_url: `${service.origin.url}/status/403?signature=SECRETQUERY`,
        width: 16,
      })
      await service.generate(key, {
        template_id: 'one-frame',
        artwork_url: `${service.origin.url}/red.png?signature=SECRETQUERY`,
        width: 16,
      })
      assert(service.origin.asked.some(path => path.includes('SECRETQUERY')))
      assert(!service.log.join('').includes('SECRETQUERY'))
    })
  },
  // The deadline itself is a setting; 15 s would only slow down this test.
  { environment: { ARTWORK_TIMEOUT_SECONDS: '2' } },
)
