import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, it } from 'node:test'
import { createSharpCodec } from '../../src/node/index.ts'
import type { OpaquePixmap } from '../../src/pixmap.ts'
import { goldenDir, listGoldenCases, readGoldenCase, renderGoldenCase, requiredCases } from './golden-cases.ts'
import { writePng } from './write-png.ts'

/** The greatest difference of any channel of any pixel. */
function compare(actual: OpaquePixmap, expected: OpaquePixmap): number {
  assert.deepEqual([actual.widthPx, actual.heightPx], [expected.widthPx, expected.heightPx], 'the size')
  let greatest = 0
  for (let i = 0; i < actual.data.length; i++) {
    greatest = Math.max(greatest, Math.abs((actual.data[i] ?? 0) - (expected.data[i] ?? 0)))
  }
  return greatest
}

/**
 * Writes actual, expected and their difference (times 8) into a new folder of the system's temporary one, and
 * names it.
 */
async function writeEvidence(name: string, actual: OpaquePixmap, expected: OpaquePixmap): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `golden-${name}-`))
  const difference = actual.data.map((value, i) => Math.min(255, 8 * Math.abs(value - (expected.data[i] ?? 0))))
  await writeFile(path.join(folder, 'actual.png'), await writePng(actual))
  await writeFile(path.join(folder, 'expected.png'), await writePng(expected))
  await writeFile(path.join(folder, 'difference.png'), await writePng({ ...actual, data: difference }))
  return folder
}

describe('golden pictures', async () => {
  const cases = await listGoldenCases()

  it('exist for every blending mode, tone and way of placing artwork', () => {
    assert.deepEqual(cases.toSorted(), requiredCases.toSorted())
  })

  for (const name of cases) {
    it(`${name} renders as it always has`, async () => {
      const codec = createSharpCodec()
      const expected = await codec.decodeLayer(await readFile(path.join(goldenDir, name, 'expected.png')), 'rgb')
      const actual = await renderGoldenCase(name)
      const { tolerance } = await readGoldenCase(name)
      const greatest = compare(actual, expected)
      if (greatest > tolerance) {
        const folder = await writeEvidence(name, actual, expected)
        assert.fail(`differs by up to ${greatest}, ${tolerance} allowed; look at ${folder}`)
      }
    })
  }
})
