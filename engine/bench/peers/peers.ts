import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import sharp from 'sharp'
import { homographyFromQuad } from '../../src/geometry/homography.ts'
import type { Quad } from '../../src/geometry/quad.ts'
import { inspectArtwork } from '../../src/index.ts'
import type { Task } from '../measure.ts'
import type { Subject } from '../mockups.ts'

/** Other programs to measure, of those that are installed. */
export type Peers = {
  readonly tasks: ReadonlyMap<string, Task>
  /** program -> version */
  readonly versions: Readonly<Record<string, string>>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** A usable Python, one with OpenCV if there is any. */
function findPython(): string | null {
  const programs = ['/usr/bin/python3', 'python3']
  const withOpenCv = programs.find(program => spawnSync(program, ['-c', 'import cv2, numpy']).status === 0)
  return withOpenCv ?? programs.find(program => spawnSync(program, ['-c', '']).status === 0) ?? null
}

/** Starts the peers on one four-corner frame, which all of the artwork is drawn into. Null without Python. */
export async function startPeers(subject: Subject, quad: Quad): Promise<Peers | null> {
  const python = findPython()
  const [frame] = subject.prepared.frames
  if (python === null || !frame) return null
  const folder = await mkdtemp(path.join(tmpdir(), 'vitrine-peers-'))
  const { widthPx, heightPx, type, hasAlpha } = inspectArtwork(subject.artwork)
  const artworkFile = `artwork.${type}`
  const { left, top, widthPx: regionWidth, heightPx: regionHeight } = frame.plan.region
  const { empty } = subject.prepared
  await writeFile(path.join(folder, artworkFile), subject.artwork)
  await sharp(empty.data, { raw: { width: empty.widthPx, height: empty.heightPx, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toFile(path.join(folder, 'scene.png'))
  const job = {
    artworkFile,
    hasAlpha,
    artworkWidth: widthPx,
    artworkHeight: heightPx,
    region: [left, top, regionWidth, regionHeight],
    quad,
    matrix: homographyFromQuad(quad),
    quality: 85,
  }
  await writeFile(path.join(folder, 'job.json'), JSON.stringify(job))
  const child = spawn(python, [path.join(import.meta.dirname, 'peers.py'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const read = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('The peers ended early.')
    return JSON.parse(value)
  }
  const hello = await read()
  if (!isHello(hello)) throw new Error('Expected the names of the peers.')
  const tasks = new Map<string, Task>(
    hello.tasks.map(name => [
      name,
      async () => {
        child.stdin.write(`${name}\n`)
        const answer = await read()
        if (typeof answer !== 'object' || answer === null || !('cpuMs' in answer)) throw new Error(`${name} failed.`)
        return Number(answer.cpuMs)
      },
    ]),
  )
  return {
    tasks,
    versions: hello.versions,
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
      await new Promise(resolve => child.once('exit', resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function isHello(value: unknown): value is { tasks: string[]; versions: Record<string, string> } {
  return typeof value === 'object' && value !== null && 'tasks' in value && 'versions' in value
}
