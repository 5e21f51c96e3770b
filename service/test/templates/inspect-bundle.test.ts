import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { goodBundle, writeBundle } from '../../../engine/test/bundles/make-bundle.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'
import { BundleTooCostlyError, inspectBundle, inspectionProgramPaths } from '../../src/templates/inspect-bundle.ts'
import { INSPECTION_MEMORY_MIB, INSPECTION_NICENESS, INSPECTION_TIMEOUT_MS } from '../../src/templates/limits.ts'
import { sampleArtworkFile } from '../../src/templates/open-template-store.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-inspect-'))
after(() => rm(folder, { recursive: true, force: true }))
await writeBundle(folder, await goodBundle())
const request = { from: folder, toFolder: null, sampleArtwork: sampleArtworkFile }
const limits = { timeoutMs: INSPECTION_TIMEOUT_MS, memoryMib: INSPECTION_MEMORY_MIB }

describe('the inspection of a bundle', () => {
  it('says what the template costs', async () => {
    const { cost } = await inspectBundle(request)
    assert.ok(cost && cost.timeMs > 100 && cost.memoryBytes > 50e6)
  })

  it('is the fault of a bundle that takes too long', async () => {
    await assert.rejects(inspectBundle(request, { ...limits, timeoutMs: 1 }), BundleTooCostlyError)
  })

  it('is the fault of a bundle that takes too much memory', async () => {
    await assert.rejects(inspectBundle(request, { ...limits, memoryMib: 60 }), BundleTooCostlyError)
  })

  it('reads the program and the bundle, and nothing else of the checkout', async () => {
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
      niceness: INSPECTION_NICENESS,
    })
    try {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      child.once('message', resolve)
      child.once('exit', code => reject(new Error(`the probe ended with code ${code}`)))
      assert.equal(os.getPriority(child.pid), Math.min(19, os.getPriority() + INSPECTION_NICENESS))
      assert.deepEqual(await promise, [false, false, false, true])
    } finally {
      child.kill('SIGKILL')
    }
  })
})
