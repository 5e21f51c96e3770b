import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { cpus } from 'node:os'
import path from 'node:path'

const engine = path.resolve(import.meta.dirname, '../../../engine')

/** In a release: the file with the digest of the sources, which are compiled into the programs. */
export const ENGINE_DIGEST_FILE = 'sources.sha256'

/**
 * A digest of everything but the bundle that determines a prepared template's bytes: the engine's sources and
 * kernels, the versions of sharp (and so libvips) and Node, and the processor, by which libvips chooses its
 * instructions.
 */
export async function findEngineDigest(): Promise<string> {
  const released = path.join(engine, ENGINE_DIGEST_FILE)
  const sources = existsSync(released) ? await readFile(released, 'utf8') : await digestEngineSources()
  const sharp = findPackageJSON('sharp', path.join(engine, 'package.json'))
  if (sharp === undefined) throw new Error('sharp is not installed')
  return createHash('sha256')
    .update(sources)
    .update(await readFile(sharp))
    .update(`${process.version} ${process.arch} ${cpus()[0]?.model}`)
    .digest('hex')
}

/** A digest of the engine's sources and kernels, in hexadecimal. */
export async function digestEngineSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of ['src', 'kernels']) {
    const names = (await readdir(path.join(engine, folder), { recursive: true })).sort()
    for (const name of names.filter(name => /\.(ts|wasm)$/.test(name) && !name.endsWith('.test.ts'))) {
      hash.update(`${name} `).update(await readFile(path.join(engine, folder, name)))
    }
  }
  return hash.digest('hex')
}
