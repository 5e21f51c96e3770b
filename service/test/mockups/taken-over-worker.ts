/**
 * A compromised render process: reports the results of attempts to load native code after its start, and to
 * write to the cache of compiled code.
 */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { compiledCodeFolder } from '../../src/sandbox/compiled-code.ts'

await import('../../src/mockups/worker/main.ts')

function outcomeOf(attempt: () => void): string {
  try {
    attempt()
    return 'done'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

process.send?.({
  // With the permission to load addons the error would differ, since the file is not a library.
  load: outcomeOf(() => process.dlopen({ exports: {} }, import.meta.filename)),
  mayLoad: process.permission.has('addon'),
  write: outcomeOf(() => writeFileSync(path.join(compiledCodeFolder, 'of-a-worker'), '')),
})
