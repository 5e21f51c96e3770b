import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, it } from 'node:test'
import { kernelFile } from '../kernels/build.ts'
import { KernelInstance } from '../src/webassembly/kernel-instance.ts'
import { costlyJpegs, type Seed } from './costly-jpegs.ts'
import { fuzzedJpeg } from './fuzzed-jpeg.ts'
import { instrumentModule } from './instrument-module.ts'
import { judgeBySharp } from './judge-by-sharp.ts'
import { seedJpegs } from './seed-jpegs.ts'
import { tryMutants } from './try-mutants.ts'
import { WatchedJpegDecoder } from './watched-jpeg-decoder.ts'

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'
const MUTANTS = isFull ? 100_000 : 60

let decoder: WatchedJpegDecoder
let seeds: readonly Seed[]

before(async () => {
  decoder = await WatchedJpegDecoder.load()
  seeds = await seedJpegs()
})

describe('the watch over the JPEG decoder', () => {
  it('sees each access beyond what is allowed, to the byte where a region ends on 16, and counts the work', async () => {
    const probes = new KernelInstance(new WebAssembly.Module(await readFile(kernelFile('probes'))))
    const names = ['enter', 'branch', 'choose', 'tick', 'read', 'write', 'fill', 'copy']
    const module = new WebAssembly.Module(instrumentModule(await readFile(kernelFile('jpeg-decoder'))).bytes)
    const kernel = new KernelInstance(module, {
      probes: Object.fromEntries(names.map(name => [name, probes.function(name)])),
    })
    kernel.reserve(65536 * 4)
    probes.reserve(probes.function('shadowAddress')() + 65536)
    const [data, table, end] = [65536, 131_072, 200_000] as const
    const violations = (sourceBytes: number, isTableAllowed: boolean, isDataWritable: boolean): number => {
      probes.function('beginRun')()
      probes.function('allow')(0, end, 0)
      probes.function('allow')(4096, 4096 + sourceBytes, 1)
      probes.function('allow')(data - 8192, data, isDataWritable ? 3 : 1)
      if (isTableAllowed) probes.function('allow')(table, table + 16, 3)
      kernel.function('unstuff')(4096, 4096 + 1024, data, table, 1)
      return probes.function('violationCount')()
    }
    kernel.bytes.fill(0x55, 4096, 8192)
    assert.equal(violations(1024, true, true), 0)
    assert.equal(violations(1008, true, true), 1)
    assert.equal(probes.function('violationAddress')(), 4096 + 1008)
    assert.equal(probes.function('violationIsStore')(), 0)
    assert.ok(violations(1024, false, true) >= 2)
    assert.equal(probes.function('violationAddress')(), table)
    assert.equal(probes.function('violationIsStore')(), 1)
    assert.ok(violations(1024, true, false) >= 64)
    const work = probes.function('workDone')()
    assert.ok(work > 64 * 10 && work < 64 * 40, `${work}`)
  })

  it('gives the pictures that the decoder gives, and the same count of instructions each time', () => {
    for (const { name, bytes } of seeds) {
      const first = decoder.decode(bytes, { x: 5, y: 3 })
      const second = decoder.decode(bytes, { x: 5, y: 3 })
      assert.equal(first.instructions, second.instructions, name)
      assert.equal('data' in first.verdict, !name.includes('declined'), name)
    }
  })
})

describe('work follows the size of a file and of what it claims:', () => {
  it('the costliest files of each kind stay within the bound, and take it up to a fair part', () => {
    const parts = costlyJpegs(isFull ? 2048 : 512).map(({ name, bytes }) => {
      const full = decoder.decode(bytes, { x: 8, y: 8 })
      assert.ok('data' in full.verdict, name)
      assert.equal(full.violation, null, name)
      assert.equal(decoder.decode(bytes, { x: 1, y: 1 }).violation, null, name)
      return full.instructions / full.instructionBound
    })
    assert.ok(Math.max(...parts) > 0.5, parts.join(' '))
  })

  it('four times the picture takes no more than four times the work, and they are what libjpeg-turbo draws', async () => {
    const larger = costlyJpegs(512)
    for (const [i, { name, bytes }] of costlyJpegs(256).entries()) {
      const once = decoder.decode(bytes, { x: 8, y: 8 })
      const fourTimes = decoder.decode(larger[i]?.bytes ?? bytes, { x: 8, y: 8 })
      assert.ok(fourTimes.instructions < 4.1 * once.instructions, name)
      assert.ok('data' in once.verdict, name)
      assert.equal(await judgeBySharp(bytes, once.verdict.data), 'equal', name)
    }
  })
})

it('damaged JPEG files: no trap, no foreign access, no old memory, no warning or other picture of libjpeg-turbo', async () => {
  const tally = await tryMutants(fuzzedJpeg, decoder, MUTANTS, 20_261_121)
  assert.deepEqual(
    tally.defects.map(({ what, mutation, seed }) => `${mutation} of ${seed}: ${what}`),
    [],
  )
  assert.ok(
    tally.accepted > 0.15 * MUTANTS && tally.reduced > 0.05 * MUTANTS,
    `${tally.accepted} accepted, ${tally.reduced} reduced`,
  )
  assert.ok(tally.declined.size > (isFull ? 20 : 5))
})
