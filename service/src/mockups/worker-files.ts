import { existsSync } from 'node:fs'
import path from 'node:path'

const packages = path.resolve(import.meta.dirname, '../../..')

/** The program that a render process runs. */
export const renderWorkerFile = path.join(import.meta.dirname, 'worker/main.ts')

/** What a render process must read to run. Not the whole repository: it may hold the data folder. */
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
