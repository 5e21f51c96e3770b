import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inspectArtwork } from '../../src/artwork/inspect-artwork.ts'
import type { DecodedArtwork, DecodeTarget } from '../../src/codec.ts'
import { findDecodeTarget } from '../../src/decode-plan.ts'
import { decodeJpegArtwork, isJpegSize } from '../../src/decoding/decode-jpeg-artwork.ts'
import { JpegDecoder } from '../../src/decoding/jpeg/jpeg-decoder.ts'
import { coversPart } from '../../src/decoding/shown-part.ts'
import { decodeWithSharp } from '../../src/node/decode-artwork.ts'
import { sharp } from '../../src/node/hardened-sharp.ts'
import { createSharpCodec } from '../../src/node/index.ts'
import { loadKernels } from '../../src/node/load-kernels.ts'
import { turns } from '../../src/node/turn-picture.ts'
import { composeMockup } from '../../src/render.ts'
import { prepareTemplate } from '../../src/template/prepare-template.ts'
import type { Frame } from '../../src/template/template.ts'
import { exifSegment } from '../artwork/build-files.ts'
import { displacements, waves } from '../artwork/waves.ts'
import { buildFrame, buildTemplate } from '../properties/build-template.ts'
import { MemoryBundle } from '../reference/memory-codec.ts'

const decoder = new JpegDecoder(loadKernels().get('jpeg-decoder'))
const codec = createSharpCodec()

const decode = (bytes: Uint8Array, target: DecodeTarget | null): DecodedArtwork =>
  decodeJpegArtwork(inspectArtwork(bytes), target, decoder)

const allEighths = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** No side is a multiple of 8, so at every N but 8 the last pixels lie partly outside the picture. */
const WIDTH = 1501
const HEIGHT = 1007

/** Two pixels wide of margin round a frame that is nowhere at a whole pixel. */
const MARGIN = 2.3

describe('artwork of odd size stays in its place to a fiftieth of a scene pixel, whatever N it is decoded at:', () => {
  for (const kind of ['corners', 'uvmap'] as const) {
    it(`in a ${kind} frame`, async () => {
      const artwork = await waves(WIDTH, HEIGHT).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
      for (const eighths of allEighths) {
        const frameWidth = (WIDTH * eighths) / 8 / (eighths === 1 ? 2.05 : 1.65)
        const frameHeight = (frameWidth * HEIGHT) / WIDTH
        const sceneWidth = Math.ceil(frameWidth + 2 * MARGIN)
        const sceneHeight = Math.ceil(frameHeight + 2 * MARGIN)
        const bundle = new MemoryBundle()
        const sceneData = new Uint8Array(sceneWidth * sceneHeight * 3)
        bundle.add('scene', { alpha: 'opaque', widthPx: sceneWidth, heightPx: sceneHeight, data: sceneData })
        const extent = { left: MARGIN, top: MARGIN, width: frameWidth, height: frameHeight }
        const frame = buildFrame(WIDTH / HEIGHT, placementOf(kind, bundle, sceneWidth, sceneHeight, extent))
        const prepared = await prepareTemplate(buildTemplate([frame]), bundle, sceneWidth, bundle.codec())
        const [only] = prepared.frames
        assert.ok(only)
        const decoded = decode(artwork, findDecodeTarget(only, WIDTH, HEIGHT))
        assert.ok(Math.abs(decoded.extent.width - (WIDTH * eighths) / 8) < 1e-9, `decoded at ${eighths}/8`)
        const off = displacements(composeMockup(prepared, [decoded]), 3, extent)
        const list = off.map(distance => distance.toFixed(3)).join(' ')
        assert.ok(
          off.every(distance => Math.abs(distance) < 0.02),
          `${eighths}/8: ${list} px`,
        )
      }
    })
  }
})

type Place = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

function placementOf(
  kind: 'corners' | 'uvmap',
  bundle: MemoryBundle,
  sceneWidth: number,
  sceneHeight: number,
  { left, top, width, height }: Place,
): Frame['placement'] {
  if (kind === 'corners') {
    const right = left + width
    const bottom = top + height
    return {
      kind,
      corners: [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ],
    }
  }
  const data = new Uint16Array(sceneWidth * sceneHeight * 3)
  for (let y = 0, i = 0; y < sceneHeight; y++) {
    for (let x = 0; x < sceneWidth; x++, i += 3) {
      const u = (x + 0.5 - left) / width
      const v = (y + 0.5 - top) / height
      if (u < 0 || u > 1 || v < 0 || v > 1) continue
      data.set([Math.round(u * 65535), Math.round(v * 65535), 65535], i)
    }
  }
  bundle.add('map', { alpha: 'uv', widthPx: sceneWidth, heightPx: sceneHeight, hasCoverage: true, data })
  return { kind, uvmap: { image: 'map', region: null } }
}

describe('a turned JPEG', () => {
  it('is the stored one turned as EXIF says, and its partial pixels turn with it', async () => {
    const [width, height] = [333, 203]
    const file = await waves(width, height).jpeg().toBuffer()
    for (const eighths of [3, 8]) {
      const stored = decoder.decode(file, eighths)
      for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8] as const) {
        const { flip, flop, angle } = turns[orientation]
        const raw = { width: stored.widthPx, height: stored.heightPx, channels: 4 } as const
        const picture = sharp(stored.data, { raw })
        if (flip) picture.flip()
        if (flop) picture.flop()
        const expected = await picture.rotate(angle).raw().toBuffer({ resolveWithObject: true })
        const tagged = Buffer.concat([file.subarray(0, 2), exifSegment(orientation), file.subarray(2)])
        const isTurned = orientation >= 5
        const minWidthPx = Math.floor(((isTurned ? height : width) * eighths) / 8)
        const minHeightPx = Math.floor(((isTurned ? width : height) * eighths) / 8)
        const decoded = decode(tagged, eighths === 8 ? null : { minWidthPx, minHeightPx })
        assert.deepEqual([decoded.widthPx, decoded.heightPx], [expected.info.width, expected.info.height])
        assert.ok(expected.data.equals(decoded.data), `orientation ${orientation} at ${eighths}/8`)
        const { extent, sourceWidthPx, sourceHeightPx } = decoded
        assert.deepEqual([sourceWidthPx, sourceHeightPx], isTurned ? [height, width] : [width, height])
        // The stored picture's right and lower edges are partial; where they are seen on the left or above,
        // the source begins later.
        const beyondX = stored.widthPx - (width * eighths) / 8
        const beyondY = stored.heightPx - (height * eighths) / 8
        const [beyondAcross, beyondDown] = isTurned ? [beyondY, beyondX] : [beyondX, beyondY]
        assert.deepEqual(extent, {
          left: [2, 3, 6, 7].includes(orientation) ? beyondAcross : 0,
          top: [3, 4, 7, 8].includes(orientation) ? beyondDown : 0,
          width: decoded.widthPx - beyondAcross,
          height: decoded.heightPx - beyondDown,
        })
      }
    }
  })
})

it('artwork of which a frame shows a part gives the same mockup from that part alone, however it is turned', async () => {
  const stored = await waves(WIDTH, HEIGHT).jpeg({ quality: 90 }).toBuffer()
  for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8] as const) {
    const artwork = Buffer.concat([stored.subarray(0, 2), exifSegment(orientation), stored.subarray(2)])
    const { widthPx, heightPx } = inspectArtwork(artwork)
    for (const [width, height] of [
      [90, 310],
      [500, 111],
    ] as const) {
      const bundle = new MemoryBundle()
      const scene = { alpha: 'opaque', widthPx: 520, heightPx: 330, data: new Uint8Array(520 * 330 * 3) } as const
      bundle.add('scene', scene)
      const place = placementOf('corners', bundle, 520, 330, { left: 3.4, top: 5.7, width, height })
      const prepared = await prepareTemplate(
        buildTemplate([buildFrame(width / height, place)]),
        bundle,
        520,
        bundle.codec(),
      )
      const [only] = prepared.frames
      assert.ok(only)
      const target = findDecodeTarget(only, widthPx, heightPx)
      const part = decode(artwork, target)
      const whole = decode(artwork, { ...target, shown: null })
      assert.ok(part.data.length < 0.7 * whole.data.length, `${part.widthPx} x ${part.heightPx}`)
      assert.ok(coversPart(part, target.shown ?? null))
      assert.ok(coversPart(whole, null) && !coversPart(part, null))
      assert.deepEqual(composeMockup(prepared, [part]), composeMockup(prepared, [whole]), `turned ${orientation}`)
    }
  }
})

describe('which decoder serves:', () => {
  const small = { minWidthPx: 60, minHeightPx: 40 }

  it('ours for grey and YCC, with a profile of primaries and curves or none', async () => {
    const picture = waves(160, 120)
    const files = [
      picture.clone().jpeg(),
      picture.clone().jpeg({ progressive: true }),
      picture.clone().greyscale().jpeg(),
      picture.clone().jpeg({ chromaSubsampling: '4:4:4' }).withIccProfile('srgb'),
      picture.clone().jpeg().withIccProfile('p3'),
    ]
    for (const file of files) {
      const decoded = await codec.decodeArtwork(await file.toBuffer(), small)
      assert.equal(decoded.decodedBy, 'vitrine')
      assert.deepEqual([decoded.sourceWidthPx, decoded.sourceHeightPx, decoded.isOpaque], [160, 120, true])
    }
  })

  it('the general one for CMYK, tiny pictures and types without a decoder of ours', async () => {
    const picture = waves(160, 120)
    const files = [picture.clone().toColourspace('cmyk').jpeg(), waves(7, 7).jpeg(), picture.clone().gif()]
    for (const file of files)
      assert.equal((await codec.decodeArtwork(await file.toBuffer(), small)).decodedBy, 'general')
  })

  it('and damage is refused for the same reason as without ours', async () => {
    const file = await waves(400, 300).jpeg({ quality: 90 }).toBuffer()
    for (const share of [0.3, 0.6, 0.9]) {
      const cut = Buffer.concat([file.subarray(0, file.length * share), file.subarray(-2)])
      const reason = async (work: Promise<unknown>): Promise<unknown> =>
        work.then(
          () => null,
          (error: unknown) => error,
        )
      const alone = await reason(decodeWithSharp(inspectArtwork(cut), small))
      assert.ok(alone instanceof Error)
      const { name, message } = alone
      const ours = await reason(codec.decodeArtwork(cut, small))
      assert.ok(ours instanceof Error)
      assert.deepEqual({ name: ours.name, message: ours.message }, { name, message })
    }
  })
})

it('from 4/8 on 15/16 of the target are enough, below it is reached, and 1/8 needs 5/4 of it', async () => {
  const file = await waves(800, 400).jpeg().toBuffer()
  const cases = [
    [[1, 80], 1],
    [[81, 200], 2],
    [[201, 300], 3],
    [[301, 426], 4],
    [[427, 533], 5],
    [[534, 640], 6],
    [[641, 746], 7],
    [[747, 800, 5000], 8],
  ] as const
  for (const [targets, eighths] of cases) {
    for (const minWidthPx of targets) {
      const target = { minWidthPx, minHeightPx: 1 }
      const decoded = decode(file, target)
      assert.equal(decoded.widthPx, eighths * 100, `${minWidthPx} px`)
      assert.ok(isJpegSize(decoded, target))
      assert.ok(!isJpegSize(decoded, { minWidthPx: eighths === 8 ? 700 : 800, minHeightPx: 1 }))
    }
  }
})

it('artwork that wraps round is decoded to whole pixels across, so that the seam has no step', async () => {
  const file = await waves(1004, 600).jpeg().toBuffer()
  const target = { minWidthPx: 300, minHeightPx: 180 }
  assert.equal(decode(file, target).extent.width, 376.5)
  const wrapped = decode(file, { ...target, wrapsX: true })
  assert.deepEqual([wrapped.extent.width, wrapped.widthPx], [502, 502])
})

it('pictures one after another, large ones too, leave no more memory behind than one instance may keep', async () => {
  const large = await sharp({ create: { width: 4400, height: 4400, channels: 3, background: '#884422' } })
    .jpeg({ quality: 95 })
    .toBuffer()
  const small = await waves(200, 100).jpeg().toBuffer()
  const expected = Buffer.from(decode(small, null).data)
  for (let round = 0; round < 6; round++) {
    assert.equal(decode(large, { minWidthPx: 4200, minHeightPx: 4200 }).widthPx, 4400)
    assert.ok(expected.equals(decode(small, null).data))
  }
  assert.ok(process.memoryUsage.rss() < 700 * 1024 * 1024, `${process.memoryUsage.rss()} bytes`)
})
