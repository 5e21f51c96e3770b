/** A render process, started and controlled by `RenderProcess`. It runs its jobs in order of arrival. */
import { ReusedMemory } from '@vitrine/engine'
import { createFrameKernel, createRenderer, createSharpCodec } from '@vitrine/engine/node'
import { saveCompiledCode } from '../../sandbox/compiled-code.ts'
import type { FromWorker, ToWorker } from '../worker-messages.ts'
import { DecodedArtworkCache } from './decoded-artwork-cache.ts'
import { runJob } from './render-job-runner.ts'
import { TemplateCache } from './template-cache.ts'

/** Cache of prepared templates: about three of 4,000 px, or ten of 2,000 px. */
const TEMPLATES_MAX_BYTES = 256 * 1024 * 1024

/** Cache of decoded artwork: a batch's pictures at a dozen sizes. */
const artworkBounds = { maxBytes: 128 * 1024 * 1024, cachedForMs: 120_000 }

/** Memory retained for the next artwork: allocating it again costs as much as a tenth of a mockup. */
const idleBounds = { maxBytes: 64 * 1024 * 1024, maxCount: 6 }

const memory = new ReusedMemory(idleBounds)
const decoded = new DecodedArtworkCache(createSharpCodec({ memory }), artworkBounds, memory)
const kernel = createFrameKernel()
const templates = new TemplateCache(decoded.codec, TEMPLATES_MAX_BYTES, kernel)
const renderer = createRenderer(kernel)
/** The unfinished jobs by id; false if cancelled. */
const isWanted = new Map<number, boolean>()
let lastJob = Promise.resolve()

// The decoder's library is loaded and no other is needed. Node enforces this below JavaScript.
process.permission.drop('addon')
saveCompiledCode()

setInterval(() => decoded.sweep(), artworkBounds.cachedForMs / 4).unref()

function send(message: FromWorker): void {
  process.send?.(message)
}

/** Only the service has the other end of the channel, so its messages are trusted. */
function isRequest(message: unknown): message is ToWorker {
  return typeof message === 'object' && message !== null && 'kind' in message && 'jobId' in message
}

function handle(request: ToWorker): void {
  if (request.kind === 'cancel') {
    if (isWanted.has(request.jobId)) isWanted.set(request.jobId, false)
    return
  }
  isWanted.set(request.jobId, true)
  lastJob = lastJob.then(() => work(request))
}

async function work({ jobId, job }: Extract<ToWorker, { kind: 'render' }>): Promise<void> {
  const before = process.cpuUsage()
  const outcome = await decoded.during(() =>
    runJob(
      job,
      { templates, decoded, renderer, memory },
      () => isWanted.get(jobId) === false,
      mockup => send({ kind: 'mockup', jobId, ...mockup }),
    ),
  )
  isWanted.delete(jobId)
  const { user, system } = process.cpuUsage(before)
  send({
    kind: 'done',
    jobId,
    outcome,
    processorMs: (user + system) / 1000,
    residentBytes: process.memoryUsage.rss(),
    warm: templates.keys,
  })
}

process.on('message', message => {
  if (isRequest(message)) handle(message)
})

send({ kind: 'ready' })
