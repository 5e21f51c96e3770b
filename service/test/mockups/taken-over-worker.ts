/**
 * A render process that was taken over once it had started: tells what came of tries to load native code, and
 * to write where compiled code is cached.
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
  // With the right to load addons this fails otherwise: the file is no library.
  load: outcomeOf(() => process.dlopen({ exports: {} }, import.meta.filename)),
  mayLoad: process.permission.has('addon'),
  write: outcomeOf(() => writeFileSync(path.join(compiledCodeFolder, 'of-a-worker'), '')),
})
