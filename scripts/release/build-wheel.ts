/**
 * The Python client as a wheel (binary distribution format 1.0, https://packaging.python.org/specifications):
 * a zip of the modules and three files about them. Pure Python needs no build tool, and so no Python here.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { zipSync } from 'fflate'
import { root } from './repository.ts'

const PACKAGE = 'vitrine_client'

/** The same files make the same bytes: zips begin in 1980. */
const mtime = new Date(1980, 0, 1)

/** Writes the wheel and returns its name. */
export function buildWheel(version: string, outFolder: string): string {
  const info = `${PACKAGE}-${version}.dist-info`
  const source = path.join(root, 'python/src', PACKAGE)
  const files = new Map<string, Buffer>()
  for (const name of readdirSync(source).sort()) {
    if (/\.py$|^py\.typed$/.test(name)) files.set(`${PACKAGE}/${name}`, readFileSync(path.join(source, name)))
  }
  files.set(`${info}/METADATA`, Buffer.from(describe(version)))
  files.set(
    `${info}/WHEEL`,
    Buffer.from('Wheel-Version: 1.0\nGenerator: vitrine\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  )
  files.set(`${info}/licenses/LICENSE`, readFileSync(path.join(root, 'LICENSE')))
  const records = [...files].map(([name, bytes]) => `${name},sha256=${digest(bytes)},${bytes.length}\n`)
  files.set(`${info}/RECORD`, Buffer.from(`${records.join('')}${info}/RECORD,,\n`))
  const wheel = `${PACKAGE}-${version}-py3-none-any.whl`
  writeFileSync(path.join(outFolder, wheel), zipSync(Object.fromEntries(files), { mtime, level: 9 }))
  return wheel
}

/** Core metadata, version 2.4, of what `pyproject.toml` says of the project. */
function describe(version: string): string {
  const project = readFileSync(path.join(root, 'python/pyproject.toml'), 'utf8')
  const read = (name: string) => {
    const value = new RegExp(`^${name} = "([^"]+)"$`, 'm').exec(project)?.[1]
    if (value === undefined) throw new Error(`expected ${name} in python/pyproject.toml`)
    return value
  }
  const classifiers = [...(/^classifiers = \[([^\]]*)\]/m.exec(project)?.[1] ?? '').matchAll(/"([^"]+)"/g)]
  return [
    'Metadata-Version: 2.4',
    `Name: ${read('name')}`,
    `Version: ${version}`,
    `Summary: ${read('description')}`,
    'License-Expression: MIT',
    'License-File: LICENSE',
    `Requires-Python: ${read('requires-python')}`,
    ...classifiers.map(([, name]) => `Classifier: ${name}`),
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(path.join(root, 'python/README.md'), 'utf8'),
  ].join('\n')
}

/** URL-safe base64 without padding, as RECORD has it. */
function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url')
}
