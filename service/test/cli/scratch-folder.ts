import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'

/** An empty folder, removed with its content after the tests of the file. */
export function makeScratchFolder(name: string): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), `vitrine-${name}-`))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An executable shell script. */
export function writeScript(file: string, script: string): void {
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}
