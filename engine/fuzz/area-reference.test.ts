import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { it } from 'node:test'
import { JpegDecoder } from '../src/decoding/jpeg/jpeg-decoder.ts'
import { sharp } from '../src/node/hardened-sharp.ts'
import { loadKernels } from '../src/node/load-kernels.ts'
import { areaMeans, decibels, meanSquare } from './area-reference.ts'

const artworks = path.resolve(import.meta.dirname, '../../templates/artworks')

/**
 * dB to the mean of the area, by N. The difference is the sharpness of a transform cut off at N coefficients.
 */
const leastDecibels = [49, 40, 43, 41, 41, 40, 40] as const

it('photographs at N/8 of the size are close to the mean of each area, and the same from progressive scans at any scale per axis', async () => {
  const decoder = new JpegDecoder(loadKernels().get('jpeg-decoder'))
  for (const name of ['morning-lake.jpg', 'evening-hills.jpg']) {
    const reduced = sharp(await readFile(path.join(artworks, name))).resize({ width: 501 })
    const sequential = await reduced.clone().jpeg({ quality: 85 }).toBuffer()
    const progressive = await reduced.clone().jpeg({ quality: 85, progressive: true }).toBuffer()
    const full = decoder.decode(sequential, 8)
    for (let x = 1; x <= 8; x++) {
      for (let y = 1; y <= 8; y++) {
        const { data } = decoder.decode(sequential, x, y)
        assert.ok(Buffer.from(decoder.decode(progressive, x, y).data).equals(data), `${name} at ${x}/8 x ${y}/8`)
        if (x !== y || x === 8) continue
        const measured = decibels(meanSquare(data, 4, areaMeans(full, x)))
        assert.ok(measured >= (leastDecibels[x - 1] ?? 99), `${name} at ${x}/8: ${measured.toFixed(1)} dB`)
      }
    }
  }
})
