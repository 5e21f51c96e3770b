/** A render process that was taken over once it had started: tells what came of a try to load native code. */
import process from 'node:process'

await import('../../src/mockups/worker/main.ts')

let outcome = 'loaded'
try {
  // With the right to load addons this fails otherwise: the file is no library.
  process.dlopen({ exports: {} }, import.meta.filename)
} catch (error) {
  outcome = error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
process.send?.({ outcome, mayLoad: process.permission.has('addon') })
