/**
 * The first minute of a newcomer, the start of nodes, and what a mockup costs beside an import:
 *
 *   npm run bench:start [-- --write] [--rest SECONDS]
 *
 * `--write` renews these figures in docs/performance.md. Linux, because processor time is read from /proc.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { zipSync } from 'fflate'
import { START_HEADING } from '../../engine/bench/page.ts'
import { listStarterPack } from '../src/first-run/starter-pack.ts'
import { Visitor } from '../test/dashboard/visitor.ts'
import { freePort } from '../test/servers/child-server.ts'
import { startPostgres } from '../test/servers/postgres.ts'
import { startRedis } from '../test/servers/redis.ts'
import { s3Settings, startS3 } from '../test/servers/s3.ts'
import { readProcessTimes, readSharedTimes, type SharedTimes } from './process-times.ts'
import { readSampleArtwork } from './spawned-service.ts'

const root = path.resolve(import.meta.dirname, '../..')
const page = path.join(root, 'docs/performance.md')

const FIRST_TEMPLATE = 'oak-frame-portrait'
const OTHER_TEMPLATE = 'white-mug-walnut-table'
const IMPORT_COUNT = 20
const MOCKUP_COUNT = 40
/** Between two mockups: the import goes on meanwhile. A key may ask a hundred times a minute. */
const PAUSE_MS = 700

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, rest: { type: 'string', default: '60' } },
})

type Row = { readonly what: string; readonly value: string; readonly bar: string; readonly holds: boolean | null }
const rows: Row[] = []
/** What is left to stop where a measurement fails. */
const running = new Set<() => Promise<void>>()

function report(what: string, value: number, unit: string, barMax: number | null = null): void {
  const row = {
    what,
    value: `${value.toFixed(2)}${unit}`,
    bar: barMax === null ? '-' : `${barMax}${unit}`,
    holds: barMax === null ? null : value <= barMax,
  }
  rows.push(row)
  console.log(`${row.value.padStart(8)}  ${what}${barMax === null ? '' : ` (at most ${row.bar})`}`)
}

type Started = {
  readonly url: string
  readonly pid: number
  readonly key: string
  /** The command that makes the first mockup. */
  readonly command: string
  readonly signInLink: string
  readonly proofS: number
  readonly cpuS: number
  readonly stop: () => Promise<void>
}

/** Processor time of a process and all below it, in seconds. */
function readCpuS(pid: number): number {
  const { ownMs, childrenMs } = readProcessTimes(pid)
  return (ownMs + childrenMs) / 1000
}

/** `npm start`, until it says that it is ready and, on a first start, what to do next. */
async function start(settings: Readonly<Record<string, string>>): Promise<Started> {
  const port = await freePort()
  const startedMs = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: os.tmpdir(),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'error',
      PORT: `${port}`,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const ready = Promise.withResolvers<void>()
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    if (/^curl .*\n|^A link into the dashboard: .*\n/m.test(output)) ready.resolve()
  })
  child.once('exit', () => ready.reject(new Error(`The service did not start:\n${output}`)))
  await ready.promise
  const proofS = (performance.now() - startedMs) / 1000
  const pid = child.pid ?? 0
  const stop = async (): Promise<void> => {
    running.delete(stop)
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  running.add(stop)
  return {
    url: `http://127.0.0.1:${port}`,
    pid,
    key: /vt_\w{36}/.exec(output)?.[0] ?? '',
    command: /^curl .*$/m.exec(output)?.[0] ?? '',
    signInLink: /http\S+\/enter#\S+/.exec(output)?.[0] ?? '',
    proofS,
    cpuS: readCpuS(pid),
    stop,
  }
}

/** Runs a command as a shell does. Resolves with its seconds by the clock. */
async function runCommand(command: string, cwd: string): Promise<number> {
  const startedMs = performance.now()
  const child = spawn('sh', ['-c', command], { cwd, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${command} ended with ${code}`)
  return (performance.now() - startedMs) / 1000
}

/** Makes a mockup of the first template. Resolves with the processor time of the processes meanwhile. */
async function makeMockup({ url, key, pid }: Started, artwork: Buffer<ArrayBuffer>): Promise<SharedTimes> {
  const form = new FormData()
  form.set('template_id', FIRST_TEMPLATE)
  form.set('artwork', new Blob([artwork], { type: 'image/jpeg' }), 'artwork.jpg')
  const whole = new Response(form)
  const contentType = whole.headers.get('content-type') ?? ''
  const body = await whole.bytes()
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true })
  await once(socket, 'connect')
  const head = [
    'POST /api/v1/mockups/generate HTTP/1.1',
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${key}`,
    `Content-Type: ${contentType}`,
    `Content-Length: ${body.byteLength}`,
    'Connection: close',
  ]
  const request = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body])
  // Nothing but the request comes after it: while a client prepares one, the import goes on.
  const before = readSharedTimes(pid)
  socket.write(request)
  const answer = await buffer(socket)
  const after = readSharedTimes(pid)
  const status = answer.subarray(0, 64).toString('latin1').split('\r\n')[0] ?? ''
  if (!status.includes(' 200 ')) throw new Error(`A mockup answered ${status}`)
  return {
    mockupsMs: after.mockupsMs - before.mockupsMs,
    // Of a process that ended meanwhile nothing is known any more.
    backgroundMs: Math.max(0, after.backgroundMs - before.backgroundMs),
  }
}

/** Mean processor times of a mockup, as long as there is other work or for a count. */
async function measureMockups(
  service: Started,
  isOver: (count: number) => boolean,
): Promise<SharedTimes & { readonly count: number }> {
  const artwork = await readSampleArtwork()
  let [mockupsMs, backgroundMs, count] = [0, 0, 0]
  for (; !isOver(count); count++) {
    const took = await makeMockup(service, artwork)
    mockupsMs += took.mockupsMs
    backgroundMs += took.backgroundMs
    await delay(PAUSE_MS)
  }
  return { mockupsMs: mockupsMs / count, backgroundMs: backgroundMs / count, count }
}

/** A starter template as a zip, with an id of its own. */
async function zipBundle(index: number): Promise<Uint8Array<ArrayBuffer>> {
  const bundles = listStarterPack()
  const bundle = bundles[index % bundles.length] ?? ''
  const names = await readdir(bundle)
  const files: Record<string, Uint8Array> = {}
  for (const name of names) files[name] = await readFile(path.join(bundle, name))
  const description: unknown = JSON.parse(await readFile(path.join(bundle, 'template.json'), 'utf8'))
  files['template.json'] = Buffer.from(JSON.stringify(Object.assign({}, description, { id: `imported-${index}` })))
  return new Uint8Array(zipSync(files, { level: 0 }))
}

/** Imports templates as an operator's page does, two at a time. */
async function importTemplates({ url, signInLink }: Started): Promise<void> {
  const visitor = await Visitor.bySignInLink(url, signInLink)
  const waiting = Array.from({ length: IMPORT_COUNT }, (_, index) => index).values()
  const importWaiting = async (): Promise<void> => {
    for (const index of waiting) {
      const answer = await visitor.send('/dashboard/api/templates?shared=true', {
        method: 'POST',
        headers: { 'content-type': 'application/zip' },
        body: await zipBundle(index),
      })
      if (!answer.ok) throw new Error(`An import answered ${answer.status}: ${await answer.text()}`)
    }
  }
  await Promise.all([importWaiting(), importWaiting()])
}

async function measureFirstMinute(scratch: string): Promise<void> {
  const settings = { DATA_DIR: path.join(scratch, 'data') }
  const first = await start(settings)
  report('first start, npm start to its first screen', first.proofS, ' s', 3)
  report('the same, processor time', first.cpuS, ' s')
  report('first mockup, by the printed command', await runCommand(first.command, scratch), ' s', 0.6)
  const other = first.command.replace(`template_id=${FIRST_TEMPLATE}`, `template_id=${OTHER_TEMPLATE}`)
  report('first mockup of another template', await runCommand(other, scratch), ' s', 0.8)
  const before = readCpuS(first.pid)
  await delay(1000 * Number(values.rest))
  report(`processor time of the ${values.rest} s after it, at rest`, readCpuS(first.pid) - before, ' s', 1)

  // Every process has the template by then.
  await measureMockups(first, count => count === MOCKUP_COUNT / 2)
  const ahead = await measureMockups(first, count => count === MOCKUP_COUNT)
  let importS = 0
  const importStartedMs = performance.now()
  const importing = importTemplates(first).finally(() => (importS = (performance.now() - importStartedMs) / 1000))
  const beside = await measureMockups(first, () => importS > 0)
  await importing
  const behind = await measureMockups(first, count => count === MOCKUP_COUNT)
  const restMs = (ahead.mockupsMs + behind.mockupsMs) / 2
  const besideMs = beside.mockupsMs + beside.backgroundMs
  report('a mockup at rest, processor time of all processes', restMs, ' ms')
  report(`a mockup during an import of ${IMPORT_COUNT} templates (${beside.count} mockups)`, besideMs, ' ms')
  report('the same / at rest', besideMs / restMs, '', 1.15)
  report('of it the work of the import until it is stopped', beside.backgroundMs, ' ms')
  report(`the import of ${IMPORT_COUNT} templates beside them`, importS, ' s')
  await first.stop()

  const second = await start(settings)
  report('second start', second.proofS, ' s', 1.5)
  report('the same, processor time', second.cpuS, ' s')
  await second.stop()
}

/** Two nodes that start together on empty servers: one of them stores the templates. */
async function measureNodes(scratch: string): Promise<void> {
  const [postgres, s3, redis] = await Promise.all([startPostgres(), startS3(), startRedis()])
  try {
    // Nodes behind one address share a secret.
    const shared = { PUBLIC_URL: 'http://127.0.0.1', AUTH_SECRET: 'a-secret-of-the-benchmark-alone-0123456789' }
    const settings = { ...shared, DATABASE_URL: postgres.url, REDIS_URL: redis.url, ...s3Settings(s3) }
    const nodes = await Promise.all(
      ['one', 'two'].map(name => start({ ...settings, DATA_DIR: path.join(scratch, name) })),
    )
    report('two nodes together on PostgreSQL, Redis and S3, both ready', Math.max(...nodes.map(n => n.proofS)), ' s', 5)
    const versions = new Set([...s3.objects.keys()].map(key => key.split('/').slice(0, 5).join('/')))
    const stored = [...versions].filter(key => key.includes('/templates/')).length
    report('templates that they have stored', stored, '', listStarterPack().length)
    await Promise.all(nodes.map(node => node.stop()))
    const again = await start({ ...settings, DATA_DIR: path.join(scratch, 'one') })
    report('second start of one of them', again.proofS, ' s', 1.5)
    await again.stop()
  } finally {
    await Promise.all([postgres.stop(), s3.stop(), redis.stop()])
  }
}

/** The figures as a section of the page. */
function buildSection(): string {
  const machine = `${os.cpus()[0]?.model.trim()}, ${os.availableParallelism()} cores; node ${process.versions.node}`
  const table = rows.map(({ what, bar, value, holds }) => {
    return `| ${what} | ${bar} | ${holds === false ? `**${value}**` : value} |`
  })
  return [
    START_HEADING,
    '',
    `Written by \`npm run bench:start -- --write\`. ${machine}. Load ${loads.join(' to ')}; bars of seconds by the clock are for a machine without other work.`,
    '',
    '| | at most | measured |',
    '|---|---|---|',
    ...table,
    '',
  ].join('\n')
}

const readLoad = (): string => (os.loadavg()[0] ?? 0).toFixed(1)
const loads = [readLoad()]
const scratch = await mkdtemp(path.join(os.tmpdir(), 'vitrine-start-'))
try {
  await measureFirstMinute(scratch)
  await measureNodes(scratch)
  loads.push(readLoad())
  if (values.write) {
    const text = await readFile(page, 'utf8')
    const at = text.indexOf(START_HEADING)
    await writeFile(page, `${(at < 0 ? text : text.slice(0, at)).trimEnd()}\n\n${buildSection()}`)
  }
} finally {
  for (const stop of running) await stop()
  await rm(scratch, { recursive: true, force: true })
}
