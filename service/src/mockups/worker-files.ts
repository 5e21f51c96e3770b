import { existsSync } from 'node:fs'
import path from 'node:path'

const packages = path.resolve(import.meta.dirname, '../../..')

/** The program that a render process runs. */
export const renderWorkerFile = path.join(import.meta.dirname, 'worker/main.ts')

/**
 * What a render process must be able to read to run its program: the engine, this folder, and the installed
 * packages. Not the whole repository, because the data folder is often in it.
 */
export const renderProgramPaths: readonly string[] = [
  'package.json',
  'node_modules',
  'engine',
  'service/package.json',
  'service/node_modules',
  'service/src/mockups',
]
  .map(name => path.join(packages, name))
  .filter(name => existsSync(name))
