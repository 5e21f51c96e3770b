import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import {
  goodBundle,
  goodDescription,
  goodMapBundle,
  png,
  writeBundle,
} from '../../../engine/test/bundles/make-bundle.ts'
import { startSandbox, UNPAID_NICENESS } from '../../src/sandbox/start-sandbox.ts'
import { ImportsBusyError } from '../../src/templates/import-queue.ts'
import {
  BundleTooCostlyError,
  BundleUnreadableError,
  inspectBundle,
  inspectionProgramPaths,
} from '../../src/templates/inspect-bundle.ts'
import { INSPECTION_MEMORY_MIB, INSPECTION_PROCESSOR_S, INSPECTION_TIMEOUT_MS } from '../../src/templates/limits.ts'
import { sampleArtworkFile } from '../../src/templates/open-template-store.ts'
import { writeGoodBundle } from './good-bundle.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-inspect-'))
after(() => rm(folder, { recursive: true, force: true }))
await writeBundle(folder, await goodBundle())
const request = { from: folder, toFolder: null, sampleArtwork: sampleArtworkFile }
const limits = {
  processorS: INSPECTION_PROCESSOR_S,
  timeoutMs: INSPECTION_TIMEOUT_MS,
  memoryMib: INSPECTION_MEMORY_MIB,
}

describe('the inspection of a bundle', () => {
  it('reports the template’s cost', async () => {
    const { cost } = await inspectBundle(request)
    assert.ok(cost && cost.timeMs > 100 && cost.memoryBytes > 50e6)
  })

  it('a bundle in a zip, in a folder with a map, or nowhere', async () => {
    const look = (from: string) => inspectBundle({ from, toFolder: null, sampleArtwork: sampleArtworkFile })
    const place = path.join(folder, 'map')
    await mkdir(place)
    await writeBundle(place, await goodMapBundle())
    assert.equal((await look(place)).template?.renderMode, 'uvmap')
    const noZip = path.join(folder, 'no.zip')
    await writeFile(noZip, 'no zip')
    assert.deepEqual(
      (await look(noZip)).faults.map(fault => fault.expected),
      ['a zip'],
    )
    await assert.rejects(look(path.join(folder, 'nowhere')), BundleUnreadableError)
  })

  it('a picture that a decoder fails on is a fault of the bundle, not a failure of the import', async () => {
    const bundle = await writeGoodBundle(folder, { id: 'choking' })
    const scene = await png(120, 90)
    await writeFile(path.join(bundle, 'scene.png'), scene.subarray(0, scene.byteLength - 30))
    const { template, faults } = await inspectBundle({ from: bundle, toFolder: null, sampleArtwork: sampleArtworkFile })
    assert.equal(template, null)
    assert.ok(faults.some(fault => fault.file === 'scene.png'))
  })

  it('fails because of a bundle that takes too much processor time', async () => {
    const [large, toFolder] = [path.join(folder, 'large'), path.join(folder, 'copy')]
    await Promise.all([mkdir(large), mkdir(toFolder)])
    const [frame] = goodDescription().frames
    const wholeScene = {
      ...frame,
      corners: [
        [100, 100],
        [6000, 100],
        [6000, 6000],
        [100, 6000],
      ],
    }
    const description = { ...goodDescription(), frames: [wholeScene], overlays: [] }
    await writeBundle(large, {
      ...(await goodBundle()),
      'template.json': new TextEncoder().encode(JSON.stringify(description)),
      'scene.png': await png(6300, 6300),
      'layers/mask.png': await png(6300, 6300, 'b-w', 255),
    })
    await assert.rejects(inspectBundle({ ...request, from: large, toFolder }, { ...limits, processorS: 1 }), {
      name: 'BundleTooCostlyError',
      message: /more than 1 s of a processor/,
    })
  })

  it('does not blame a bundle if the machine has no time for it', async () => {
    await assert.rejects(inspectBundle(request, { ...limits, timeoutMs: 1 }), ImportsBusyError)
  })

  it('fails because of a bundle that takes too much memory', async () => {
    await assert.rejects(inspectBundle(request, { ...limits, memoryMib: 60 }), BundleTooCostlyError)
  })

  it('can read the program and the bundle, and nothing else of the checkout', async () => {
    const probe = path.join(folder, 'probe.ts')
    const checkout = path.resolve(import.meta.dirname, '../../..')
    const files = ['README.md', 'service/src/main.ts', 'data/auth-secret', 'service/src/templates/limits.ts']
    const paths = files.map(file => path.join(checkout, file))
    await writeFile(
      probe,
      `process.send(${JSON.stringify(paths)}.map(file => process.permission.has('fs.read', file)))`,
    )
    const child = startSandbox({
      file: probe,
      readablePaths: [...inspectionProgramPaths, folder],
      writablePaths: [],
      memoryMib: limits.memoryMib,
      niceness: UNPAID_NICENESS,
    })
    try {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      child.once('message', resolve)
      child.once('exit', code => reject(new Error(`the probe ended with code ${code}`)))
      assert.equal(os.getPriority(child.pid), Math.min(19, os.getPriority() + UNPAID_NICENESS))
      assert.deepEqual(await promise, [false, false, false, true])
    } finally {
      child.kill('SIGKILL')
    }
  })
})
