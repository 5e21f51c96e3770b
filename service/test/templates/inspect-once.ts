import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { answerBundleRequest } from '../../src/templates/answer-bundle-request.ts'
import { bundleReportSchema } from '../../src/templates/bundle-report.ts'
import { failureOf, type inspectBundle } from '../../src/templates/inspect-bundle.ts'
import type { BundleWork } from '../../src/templates/template-store.ts'

type Found = { readonly looked: Awaited<ReturnType<typeof inspectBundle>>; readonly written: string }

/** Inspects a bundle in this process, by the program of the sandboxed one. */
export async function inspectHere(request: Parameters<typeof inspectBundle>[0]): ReturnType<typeof inspectBundle> {
  const from = path.resolve(request.from)
  const looked = bundleReportSchema.parse(await answerBundleRequest({ kind: 'inspect', ...request, from }))
  if (looked.kind !== 'looked-at') throw failureOf(looked)
  return looked
}

/** What a service does with bundles in sandboxed processes, in this one. */
export const workHere: BundleWork = {
  inspect: inspectHere,
  reduce: async request => {
    const { kind } = await answerBundleRequest({ kind: 'reduce', ...request })
    assert.equal(kind, 'reduced')
  },
  pack: async request => {
    const { kind } = await answerBundleRequest({ kind: 'pack', ...request })
    assert.equal(kind, 'packed')
  },
}

/**
 * Inspects each bundle once, and copies the result, in `folder`, when the same bundle is imported again. The
 * first one may be inspected in a process, as the store does; the others are by the same program in this one.
 */
export function inspectOnce(folder: string, inspectFirst: typeof inspectBundle = inspectHere): typeof inspectBundle {
  const known = new Map<string, Promise<Found>>()
  const inspect = async (from: string, sampleArtwork: string, isFirst: boolean): Promise<Found> => {
    const written = await mkdtemp(path.join(folder, 'inspected-'))
    const request = { from, sampleArtwork, toFolder: written }
    return { looked: await (isFirst ? inspectFirst : inspectHere)(request), written }
  }
  return async ({ from, toFolder, sampleArtwork }) => {
    const digest = await digestOf(from)
    const finding = known.get(digest) ?? inspect(from, sampleArtwork, known.size === 0)
    known.set(digest, finding)
    const { looked, written } = await finding
    if (toFolder !== null) await cp(written, toFolder, { recursive: true })
    return looked
  }
}

async function digestOf(bundle: string): Promise<string> {
  const digest = createHash('sha256')
  const entries = await readdir(bundle, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name))
  for (const file of files.sort()) {
    digest.update(`${path.relative(bundle, file)}\0`)
    digest.update(await readFile(file))
  }
  return digest.digest('hex')
}
