import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'

const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-install-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** A project with a package that no Node is new enough for, as some tools are for Node 20. */
function makeProject(name: string): string {
  const project = path.join(folder, name)
  mkdirSync(path.join(project, 'tool'), { recursive: true })
  const tool = { name: 'tool', version: '1.0.0', engines: { node: '>=999' }, scripts: { install: 'exit 0' } }
  const dependencies = { tool: 'file:tool' }
  const packages = { '': { dependencies }, 'node_modules/tool': { resolved: 'tool', link: true }, tool }
  writeFileSync(path.join(project, 'tool/package.json'), JSON.stringify(tool))
  writeFileSync(path.join(project, 'package.json'), JSON.stringify({ dependencies }))
  writeFileSync(path.join(project, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  return project
}

/** What npm writes to the error stream. */
function install(project: string): string {
  const env = { PATH: process.env['PATH'], HOME: folder, npm_config_update_notifier: 'false' }
  return spawnSync('npm', ['ci', '--offline'], { cwd: project, encoding: 'utf8', env }).stderr
}

test('npm ci warns of nothing in this repository, and says what fails', () => {
  const loud = makeProject('loud')
  assert.match(install(loud), /EBADENGINE/)
  const quiet = makeProject('quiet')
  cpSync(path.resolve(import.meta.dirname, '../.npmrc'), path.join(quiet, '.npmrc'))
  assert.equal(install(quiet), '')
  writeFileSync(path.join(quiet, 'package.json'), JSON.stringify({ dependencies: { other: '1.0.0' } }))
  assert.match(install(quiet), /^npm error /)
})
