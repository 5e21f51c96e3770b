/**
 * A render process that draws nothing: it does what its job's template is named after, so that a test can
 * have a job that takes time, never ends, dies, or is refused. It uses the real protocol and is started
 * exactly like the real one.
 *
 * `sleep-200`: done after 200 ms · `spin`: an endless loop · `crash`: kills itself · `exit`: ends with code 3
 * · `reject`: blames the artwork · `babble`: violates the protocol · `grow`: reports more memory than is
 * allowed · `hoard`: allocates until it can't · `steal`: attempts what a render process may not do, and
 * writes the results to the job's file
 */
import { linkSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FromWorker, ToWorker } from '../../src/mockups/worker-messages.ts'

const SLICE_MS = 20
const warm = new Set<string>()
const cancelled = new Set<number>()
let lastJob = Promise.resolve()

function send(message: FromWorker | { kind: 'gibberish' }): void {
  process.send?.(message)
}

function isRequest(message: unknown): message is ToWorker {
  return typeof message === 'object' && message !== null && 'kind' in message && 'jobId' in message
}

process.on('message', message => {
  if (!isRequest(message)) return
  if (message.kind === 'cancel') cancelled.add(message.jobId)
  else lastJob = lastJob.then(() => render(message))
})

async function render({ jobId, job }: Extract<ToWorker, { kind: 'render' }>): Promise<void> {
  let residentBytes = 1
  let tookMs = 0
  const end = (outcome: Extract<FromWorker, { kind: 'done' }>['outcome']) =>
    send({ kind: 'done', jobId, outcome, processorMs: tookMs, residentBytes, warm: [...warm] })
  for (const { bundle, toFile } of job.mockups) {
    const [name = ''] = bundle.key.split('@')
    const sleepMs = name.startsWith('sleep-') ? Number(name.slice(6)) : 0
    // In slices, as a render checks for messages: its time is reported as processor time.
    for (const endMs = performance.now() + sleepMs; performance.now() < endMs && !cancelled.has(jobId); )
      await sleep(Math.max(1, Math.min(SLICE_MS, endMs - performance.now())))
    tookMs += sleepMs
    if (cancelled.has(jobId)) return end({ kind: 'cancelled' })
    if (name === 'spin') for (;;);
    if (name === 'crash') process.kill(process.pid, 'SIGSEGV')
    if (name === 'exit') process.exit(3)
    if (name === 'reject') return end({ kind: 'rejected', reason: 'corrupt', message: 'Damaged.', frame: 2 })
    if (name === 'babble') send({ kind: 'gibberish' })
    if (name === 'grow') residentBytes = 5_000_000_000
    if (name === 'hoard') for (const kept = []; ; ) kept.push(Buffer.alloc(50_000_000, 1))
    writeFileSync(toFile, name === 'steal' ? JSON.stringify(await trySome(bundle.folder, toFile)) : name)
    warm.add(`${bundle.key}/${job.output.widthPx}`)
    send({
      kind: 'mockup',
      jobId,
      sizeBytes: 1,
      widthPx: 1,
      heightPx: 1,
      durationMs: 1,
      stages: [{ name: `process ${process.pid}`, durationMs: 1 }],
      preparedFrom: 'bundle',
      decodedBy: [],
      artworks: [],
    })
  }
  end({ kind: 'complete' })
}

async function trySome(bundleFolder: string, toFile: string): Promise<Record<string, unknown>> {
  const attempt = (act: () => unknown) => {
    try {
      act()
      return 'done'
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : String(error)
    }
  }
  const socket = connect({ port: 9, host: '127.0.0.1' })
  const connecting = new Promise(resolve => {
    socket.on('error', error => resolve('code' in error ? error.code : String(error)))
    socket.on('connect', () => resolve('done'))
  })
  const { spawnSync } = await import('node:child_process')
  const [own, out] = [path.dirname(bundleFolder), path.dirname(toFile)]
  const bundleFile = path.join(bundleFolder, 'scene.txt')
  return {
    ownFiles: readdirSync(own, { recursive: true }).map(String).sort(),
    listRequests: attempt(() => readdirSync(path.dirname(own))),
    readArtworkOfAnother: attempt(() => readFileSync(path.join(own, '../victim/artwork'))),
    changeBundle: attempt(() => writeFileSync(bundleFile, 'changed')),
    linkBundle: attempt(() => linkSync(bundleFile, path.join(out, 'link'))),
    moveBundle: attempt(() => renameSync(bundleFile, path.join(out, 'moved'))),
    linkElsewhere: attempt(() => symlinkSync('/etc/hostname', path.join(out, 'symlink'))),
    readSystem: attempt(() => readFileSync('/etc/hostname')),
    writeProgram: attempt(() => writeFileSync(new URL(import.meta.url), '')),
    spawn: attempt(() => spawnSync('true')),
    connect: await connecting,
    environment: Object.keys(process.env)
      .filter(name => name !== 'PWD')
      .sort(),
  }
}

send({ kind: 'ready' })
