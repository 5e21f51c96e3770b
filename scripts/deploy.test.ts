/** What SECURITY.md promises of the shipped systemd unit and compose file. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

test('the systemd unit lets nothing be run from where it may write', () => {
  const unit = read('deploy/systemd/vitrine.service')
  const valuesOf = (name: string) =>
    [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].flatMap(([, value = '']) => value.split(' '))
  const writable = [...valuesOf('StateDirectory').map(name => `/var/lib/${name}`), ...valuesOf('ReadWritePaths')]
  assert.deepEqual(
    writable,
    valuesOf('Environment').flatMap(text => text.match(/(?<=^DATA_DIR=).*/)?.[0] ?? []),
  )
  assert.deepEqual([valuesOf('ProtectSystem'), valuesOf('PrivateTmp')], [['strict'], ['yes']])
  assert.deepEqual(valuesOf('NoExecPaths'), ['/'])
  const runnable = valuesOf('ExecPaths').map(name => name.replace(/^-/, ''))
  assert.ok(runnable.length > 0)
  for (const folder of [...writable, '/tmp', '/var/tmp'])
    for (const name of runnable)
      assert.ok(!`${folder}/`.startsWith(`${name}/`) && !`${name}/`.startsWith(`${folder}/`), `${folder} and ${name}`)
  assert.deepEqual([valuesOf('NoNewPrivileges'), valuesOf('ProtectProc')], [['yes'], ['invisible']])
})

test('the container writes to its data alone, runs nothing from /tmp, gains no rights, and is bounded', () => {
  const compose = read('compose.yaml')
  const [, volumes = ''] = /^ {4}volumes: \[(.*)\]$/m.exec(compose) ?? []
  assert.equal(volumes, '"data:/data"')
  assert.match(compose, /^ {4}read_only: true$/m)
  assert.match(compose, /^ {4}tmpfs: \["\/tmp:[^"]*\bnoexec\b[^"]*"\]$/m)
  assert.match(compose, /^ {4}cap_drop: \[ALL\]$/m)
  assert.match(compose, /^ {4}security_opt: \["no-new-privileges:true"\]$/m)
  assert.match(compose, /^ {4}pids_limit: \d+$/m)
  assert.match(compose, /^ {4}mem_limit: \d+g$/m)
})
