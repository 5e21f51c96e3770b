import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { seededRandom } from '../seeded-random.ts'
import { HostileCustomer } from './hostile-customer.ts'
import { mutate } from './mutate.ts'

/** Longer than any load explains. */
const ANSWER_MS = 20_000
const MUTANT_COUNT = process.env['VITRINE_TEST_SIZE'] === 'full' ? 20_000 : 27
const MUTANT_SEED = 20_261_121

describe('Damaged artwork', () => {
  let home = ''
  let customer: HostileCustomer

  before(async () => {
    home = await mkdtemp(path.join(tmpdir(), 'vitrine-hostile-'))
    customer = await HostileCustomer.start()
  })

  after(async () => {
    await customer[Symbol.asyncDispose]()
    await rm(home, { recursive: true, force: true })
  })

  it(`in ${MUTANT_COUNT} damaged versions is a mockup or a refusal`, async t => {
    const seeds = await mutationSeeds()
    const random = seededRandom(MUTANT_SEED)
    const counts: Record<string, number> = {}
    let slowestMs = 0
    let index = 0
    const work = async () => {
      while (index < MUTANT_COUNT) {
        const number = index
        index += 1
        const file = path.join(home, `mutant-${number}`)
        await writeFile(file, mutate(seeds[number % seeds.length] ?? new Uint8Array(), random))
        const { outcome, tookMs } = await customer.upload(file)
        counts[outcome] = (counts[outcome] ?? 0) + 1
        slowestMs = Math.max(slowestMs, tookMs)
        await rm(file)
      }
    }
    await Promise.all([work(), work()])
    t.diagnostic(`seed ${MUTANT_SEED}; ${JSON.stringify(counts)}; slowest ${Math.round(slowestMs)} ms`)
    assert.ok((counts['accepted'] ?? 0) > 0)
    assert.ok(slowestMs < ANSWER_MS)
    await customer.assertUnharmed()
  })
})

/** Nine valid files of all types, so small that most mutations matter. */
async function mutationSeeds(): Promise<Uint8Array[]> {
  const noise = sharp({
    create: {
      width: 120,
      height: 90,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
      background: '#888',
    },
  })
  const raw = await noise.png().toBuffer()
  const open = () => sharp(raw)
  return Promise.all([
    open().jpeg().toBuffer(),
    open().jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer(),
    open().toColourspace('cmyk').jpeg().toBuffer(),
    open().png().toBuffer(),
    open().png({ palette: true, colours: 16 }).toBuffer(),
    open().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    open().webp({ quality: 60 }).toBuffer(),
    open().ensureAlpha(0.5).webp({ lossless: true }).toBuffer(),
    open().gif().toBuffer(),
  ])
}
