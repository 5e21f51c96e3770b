import assert from 'node:assert/strict'
import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { makeScratchFolder } from '../service/test/cli/scratch-folder.ts'
import { builtFiles, isBuilt } from './is-built.ts'

test('pages are built again after a change or a removal of a source, not right after the first build', () => {
  const root = makeScratchFolder('is-built')
  const packages = ['client', 'dashboard', 'embed']
  const at = (file: string, seconds: number) => utimesSync(path.join(root, file), seconds, seconds)
  const write = (file: string, seconds: number) => {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
    writeFileSync(path.join(root, file), '')
    at(file, seconds)
  }
  write('package-lock.json', 1)
  for (const name of packages) for (const file of ['one.ts', 'two.ts']) write(`${name}/src/${file}`, 1)
  for (const name of packages) at(`${name}/src`, 1)
  assert.equal(isBuilt(root, packages), false, 'nothing is built')
  // Each build makes a folder in its package, those of later packages after the files of earlier ones.
  for (const [index, file] of builtFiles.entries()) write(file, 2 + index)
  for (const name of packages) assert.ok(statSync(path.join(root, name)).mtimeMs > 4000, name)
  assert.equal(isBuilt(root, packages), true)
  rmSync(path.join(root, 'embed/src/two.ts'))
  assert.equal(isBuilt(root, packages), false, 'a source was removed')
  at('embed/src', 1)
  write('client/src/one.ts', 9)
  assert.equal(isBuilt(root, packages), false, 'a source was changed')
})
