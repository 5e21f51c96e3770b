import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'

/**
 * The share of samples that may differ by more than a level: one differently rounded coefficient changes 64
 * pixels.
 */
const OTHERWISE_ROUNDED_MAX = 0.01
const GREATEST_DIFFERENCE = 16

/**
 * Asserts that two folders contain the same import. The results must be equal, and on the processors that the
 * encoders are written for, so must every byte. On others pictures may be rounded differently.
 */
export async function assertSameImport(one: string, other: string): Promise<void> {
  const names = (await readdir(one)).sort()
  assert.deepEqual((await readdir(other)).sort(), names)
  for (const name of names) {
    const [a, b] = await Promise.all([readFile(path.join(one, name)), readFile(path.join(other, name))])
    if (a.equals(b)) continue
    if (name === 'report.json') await assertSameReport(a, b)
    else if (name.startsWith('pack-')) await assertSamePack(a, b, name)
    else await assertSamePicture(a, b, name)
  }
}

async function assertSameReport(one: Buffer, other: Buffer): Promise<void> {
  const [a, b] = [JSON.parse(one.toString()), JSON.parse(other.toString())]
  await assertSamePicture(Buffer.from(a.look.tiny, 'base64'), Buffer.from(b.look.tiny, 'base64'), 'the tiny picture')
  assert.deepEqual({ ...a, look: { ...a.look, tiny: '' } }, { ...b, look: { ...b.look, tiny: '' } })
}

async function assertSamePack(one: Buffer, other: Buffer, name: string): Promise<void> {
  const [a, b] = [filesOfPack(one), filesOfPack(other)]
  assert.deepEqual([...a.keys()], [...b.keys()], name)
  for (const [file, bytes] of a) {
    const otherBytes = b.get(file) ?? Buffer.alloc(0)
    if (bytes.equals(otherBytes)) continue
    // Descriptions and coordinates are exact everywhere.
    const isPicture = file !== 'template.json' && (await sharp(bytes).metadata()).depth === 'uchar'
    assert.ok(isPicture, `${name} has the same ${file}`)
    await assertSamePicture(bytes, otherBytes, `${file} in ${name}`)
  }
}

/** The layout of packs in the engine (preview-pack.ts): the length of the index, the index, the files. */
function filesOfPack(pack: Buffer): ReadonlyMap<string, Buffer> {
  const files = new Map<string, Buffer>()
  let at = 4 + pack.readUInt32LE(0)
  for (const [name, sizeBytes] of JSON.parse(pack.subarray(4, at).toString())) {
    files.set(name, pack.subarray(at, at + sizeBytes))
    at += sizeBytes
  }
  return files
}

export async function assertSamePicture(one: Buffer, other: Buffer, name: string): Promise<void> {
  const [a, b] = await Promise.all([one, other].map(bytes => sharp(bytes).raw().toBuffer({ resolveWithObject: true })))
  assert.deepEqual(a?.info, b?.info, name)
  let [otherwiseCount, greatest] = [0, 0]
  for (const [index, sample] of (a?.data ?? Buffer.alloc(0)).entries()) {
    const difference = Math.abs(sample - (b?.data[index] ?? 0))
    if (difference > 1) otherwiseCount++
    greatest = Math.max(greatest, difference)
  }
  const share = otherwiseCount / (a?.data.byteLength ?? 0)
  const differs = `${name}: ${(100 * share).toFixed(2)} % of the samples differ by more than a level, by at most ${greatest}`
  assert.ok(share <= OTHERWISE_ROUNDED_MAX && greatest <= GREATEST_DIFFERENCE, differs)
}
