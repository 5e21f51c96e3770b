import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { generate } from './api-calls.ts'
import { makeData, SMALL_TEMPLATE_ID } from './make-data.ts'
import { spawnVitrine, terminalProgram } from './vitrine-server.ts'

const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-terminal-'))
after(() => rm(folder, { recursive: true, force: true }))
const { dataDir, key } = await makeData(folder)
const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'info', HOST: '0.0.0.0' }

const skip = terminalProgram === undefined && 'util-linux has the command "script", which makes a pseudo-terminal'

test('on a terminal a start leaves its first and last lines; a mockup is one line, assets and probes none', {
  skip,
}, async () => {
  const server = await spawnVitrine(settings, terminalProgram).ready
  for (const target of ['/healthz', '/readyz', '/', '/favicon.ico', '/nowhere']) await fetch(server.url + target)
  assert.equal((await generate(server, key, SMALL_TEMPLATE_ID)).status, 200)
  while (!/ms\r\n/.test(server.output())) await delay(20)
  const output = server.output()
  await server.stop()
  // A terminal shows what follows the last clearing of each line.
  const shown = output.split('\r\n').map(line => line.split('\u001B[2K').at(-1) ?? '')
  assert.deepEqual(
    shown.map(line => line.replace(/^[\d:]+ {2}|\d+ ms$/g, '')),
    [
      'Vitrine is starting …',
      `Vitrine is ready at ${server.url}; its data is in ${dataDir}.`,
      'A link into the dashboard: npx vitrine account sign-in-link --email ADDRESS',
      `${SMALL_TEMPLATE_ID}  1 credit  `,
      '',
    ],
  )
  assert.match(output, /Loading the service …/)
})

test('elsewhere the log is JSON, with a line for each step of a start', async () => {
  const server = await spawnVitrine(settings).ready
  assert.equal((await generate(server, key, SMALL_TEMPLATE_ID)).status, 200)
  while (!/"request"\}\n/.test(server.output())) await delay(20)
  await server.stop()
  const lines = server.output().trim().split('\n')
  assert.deepEqual(lines.slice(0, 2), ['Vitrine is starting …', 'Loading the service …'])
  assert.ok(lines.some(line => line.startsWith('{') && JSON.parse(line).msg === 'listening'))
  assert.ok(!server.output().includes('\u001B'))
})
