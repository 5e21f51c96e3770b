import module from 'node:module'
import path from 'node:path'

/**
 * Node's cache of compiled TypeScript, also used by `bin/vitrine.js`: it halves the processor time of a
 * program's start. It has no effect in a read-only folder.
 */
export const compiledCodeFolder = path.resolve(import.meta.dirname, '../../../node_modules/.cache/compiled')

/**
 * Saves the code compiled at a program's start and gives up the permission to write there. Called when
 * everything is loaded, before the first external byte. A killed process would save nothing.
 */
export function saveCompiledCode(): void {
  module.flushCompileCache()
  process.permission.drop('fs.write', compiledCodeFolder)
}
