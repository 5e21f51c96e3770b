import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'

/** An empty folder, removed with all that is in it after the tests of the file. */
export function makeScratchFolder(name: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `vitrine-${name}-`))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A shell script that can be run as a program. */
export function writeScript(file: string, script: string): void {
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}
