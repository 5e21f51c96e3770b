import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { isPlainFile } from '../storage/plain-file.ts'
import type { PreparedFile } from '../templates/template-bundle.ts'
import { PROCESS_BUNDLES_MAX_COUNT } from './limits.ts'
import { previewFileOf, type RenderJob } from './render-job.ts'

/**
 * The folder of one render process: apart from its program, all that the process can read. The files of a job
 * are linked into it just before the job, so that a compromised process sees no other request's files. It
 * writes only to `outPath`: linked files are shared with the whole service and never changed.
 *
 * Links are made synchronously: some ten microseconds each, and jobs stay in order.
 */
export class ProcessFolder {
  readonly path: string
  readonly outPath: string
  /** Bundle folders and their links here, least recently used first. */
  readonly #bundles = new Map<string, string>()
  #bundleCount = 0
  /** Links to prepared templates, by job. */
  readonly #preparedLinks = new Map<number, string[]>()

  /** @param root the root of private folders, which removes this folder if its service has died */
  constructor(root: string) {
    this.path = mkdtempSync(path.join(realpathSync(root), `process-${process.pid}-`))
    this.outPath = path.join(this.path, 'out')
    mkdirSync(this.outPath, { mode: 0o700 })
  }

  /** Links a job's files. Returns the job with the names of the links. */
  receive(jobId: number, job: RenderJob): RenderJob {
    const names = new Map([...new Set(job.artworks.map(({ file }) => file))].map((file, at) => [file, at]))
    for (const [file, at] of names) link(file, this.#artworkFile(jobId, at))
    return {
      ...job,
      artworks: job.artworks.map(each => ({ ...each, file: this.#artworkFile(jobId, names.get(each.file) ?? 0) })),
      mockups: job.mockups.map(({ bundle, prepared, ...mockup }, at) => ({
        ...mockup,
        bundle: { ...bundle, folder: this.#linkBundle(bundle.folder) },
        toFile: this.#mockupFile(jobId, at),
        prepared: prepared && this.#linkPrepared(jobId, at, prepared),
      })),
    }
  }

  /** Undefined if the file is gone or on another file system: copying it would block the service. */
  #linkPrepared(jobId: number, at: number, { name, file }: PreparedFile): PreparedFile | undefined {
    const own = path.join(this.path, `prepared-${jobId}-${at}`)
    try {
      linkSync(file, own)
    } catch {
      return undefined
    }
    this.#preparedLinks.set(jobId, [...(this.#preparedLinks.get(jobId) ?? []), own])
    return { name, file: own }
  }

  #unlinkPrepared(jobId: number): void {
    for (const own of this.#preparedLinks.get(jobId) ?? []) rmSync(own, { force: true })
    this.#preparedLinks.delete(jobId)
  }

  /**
   * Moves the finished pictures to the paths that the job names, and removes the job's links. A compromised
   * process may have put something else there, so links are not followed.
   */
  deliver(jobId: number, job: RenderJob): void {
    for (const [at, { toFile }] of job.mockups.entries()) {
      const own = this.#mockupFile(jobId, at)
      move(own, toFile)
      const { previewBytesMax } = job.output
      if (previewBytesMax !== undefined) movePreview(previewFileOf(own), previewFileOf(toFile), previewBytesMax)
    }
    const fileCount = new Set(job.artworks.map(({ file }) => file)).size
    for (let at = 0; at < fileCount; at++) unlinkSync(this.#artworkFile(jobId, at))
    this.#unlinkPrepared(jobId)
  }

  /** Removes all files of a job that was not delivered. */
  forget(jobId: number, job: RenderJob): void {
    const files = job.artworks.map((_, at) => this.#artworkFile(jobId, at))
    const pictures = job.mockups.flatMap((_, at) => {
      const file = this.#mockupFile(jobId, at)
      return [file, previewFileOf(file)]
    })
    this.#unlinkPrepared(jobId)
    for (const file of [...files, ...pictures]) {
      try {
        rmSync(file, { force: true, recursive: true })
      } catch {
        // A compromised process may leave what cannot be removed: it is removed with the folder.
      }
    }
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  }

  #artworkFile(jobId: number, at: number): string {
    return path.join(this.path, `artwork-${jobId}-${at}`)
  }

  #mockupFile(jobId: number, at: number): string {
    return path.join(this.outPath, `mockup-${jobId}-${at}`)
  }

  /** Links to bundles stay until many others were used, since a process often needs the same ones. */
  #linkBundle(folder: string): string {
    const known = this.#bundles.get(folder)
    const own = known ?? path.join(this.path, `bundle-${this.#bundleCount++}`)
    if (known === undefined) linkFolder(folder, own)
    this.#bundles.delete(folder)
    this.#bundles.set(folder, own)
    for (const [oldest, link] of this.#bundles) {
      if (this.#bundles.size <= PROCESS_BUNDLES_MAX_COUNT) break
      this.#bundles.delete(oldest)
      rmSync(link, { recursive: true, force: true })
    }
    return own
  }
}

function linkFolder(folder: string, to: string): void {
  const entries = readdirSync(folder, { withFileTypes: true })
  mkdirSync(to, { mode: 0o700 })
  for (const entry of entries) {
    const [from, own] = [path.join(folder, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(from, own)
    else link(from, own)
  }
}

/** Makes a hard link, or copies the file if the folders are on different file systems. */
function link(file: string, own: string): void {
  try {
    linkSync(file, own)
  } catch (error) {
    if (!isOtherFileSystem(error)) throw error
    copyFileSync(file, own)
  }
}

/** Moves a picture out of its process's reach before checking it. */
function move(own: string, file: string): void {
  try {
    renameSync(own, file)
  } catch (error) {
    if (!isOtherFileSystem(error)) throw error
    copyPlainFile(own, file)
    unlinkSync(own)
    return
  }
  try {
    assertPlainFile(lstatSync(file))
  } catch (error) {
    rmSync(file, { recursive: true, force: true })
    throw error
  }
}

/** There is no preview if none fits at any width. */
function movePreview(own: string, file: string, bytesMax: number): void {
  if (lstatSync(own, { throwIfNoEntry: false }) === undefined) return
  move(own, file)
  if (lstatSync(file).size > bytesMax) rmSync(file)
}

function copyPlainFile(own: string, file: string): void {
  // Refuses symbolic links, and does not block on a pipe.
  const source = openSync(own, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    assertPlainFile(fstatSync(source))
    writeFileSync(file, readFileSync(source))
  } finally {
    closeSync(source)
  }
}

function assertPlainFile(status: Stats): void {
  if (!isPlainFile(status)) throw new Error('The render process left something else than a file')
}

function isOtherFileSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EXDEV'
}
