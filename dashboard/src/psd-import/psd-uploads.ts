/** Photoshop files that this page sends, part after part; they go on while the person is on other pages. */
import { limits, psdPartCount } from '@vitrine/contract'
import { z } from 'zod'
import { ApiError, act, get, post, send } from '../api.ts'
import { asError } from '../as-error.ts'

/** An upload of this page. `error`: it has stopped. */
export type PsdUpload = {
  readonly id: string
  readonly fileName: string
  /** 0..1 */
  readonly share: number
  readonly error: Error | null
}

/** What comes after a failed attempt at a part: networks come back after seconds. */
const pausesMs = [1000, 3000, 9000, 20_000] as const

const PARTS_AT_ONCE = 2

const createdSchema = z.object({ id: z.string() })
const missingSchema = z.object({ missing: z.array(z.int().min(0)) })

/** The state of uploads, for one document: a file is known to the page alone that it was given to. */
class PsdUploads {
  #all: readonly PsdUpload[] = []
  readonly #listeners = new Set<() => void>()
  readonly #controllers = new Map<string, AbortController>()

  /** Begins to send a file. Resolves with the import's id at once; the rest goes on. @throws ApiError */
  async begin(file: File): Promise<string> {
    if (file.size > limits.psdSizeBytesMax) {
      const message = `“${file.name}” has ${Math.ceil(file.size / 1e6)} MB, and a Photoshop file may have ${limits.psdSizeBytesMax / 1e6} MB.`
      const hint = 'Merge layers, or reduce the image size, and save again.'
      throw new ApiError(413, 'PSD_TOO_LARGE', message, null, { hint })
    }
    const body = { file_name: file.name.slice(0, 200), size_bytes: file.size }
    const { id } = await post('/dashboard/api/imports', body, createdSchema)
    void this.#run(id, file)
    return id
  }

  /** Goes on with an import whose page was closed; `file` is the same file again. */
  resume(id: string, file: File): void {
    if (!this.#controllers.has(id)) void this.#run(id, file)
  }

  cancel(id: string): void {
    this.#controllers.get(id)?.abort()
    this.#set(id, null)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly all = (): readonly PsdUpload[] => this.#all

  async #run(id: string, file: File): Promise<void> {
    const controller = new AbortController()
    this.#controllers.set(id, controller)
    const upload = { id, fileName: file.name, share: 0, error: null }
    this.#set(id, upload)
    try {
      await this.#sendParts(id, file, controller.signal)
      await act(`/dashboard/api/imports/${id}/run`, { frames: [] })
      this.#set(id, null)
    } catch (failure) {
      if (!controller.signal.aborted) this.#set(id, { ...upload, error: asError(failure) })
    } finally {
      this.#controllers.delete(id)
    }
  }

  async #sendParts(id: string, file: File, signal: AbortSignal): Promise<void> {
    const count = psdPartCount(file.size)
    const { missing } = await get(`/dashboard/api/imports/${id}/parts`, missingSchema, signal)
    let sent = count - missing.length
    const rest = missing.values()
    const work = async (): Promise<void> => {
      for (const part of rest) {
        await sendPart(id, part, file, signal)
        sent += 1
        this.#set(id, { id, fileName: file.name, share: sent / count, error: null })
      }
    }
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, work))
  }

  #set(id: string, upload: PsdUpload | null): void {
    const others = this.#all.filter(each => each.id !== id)
    this.#all = upload === null ? others : [...others, upload]
    for (const listener of this.#listeners) listener()
  }
}

async function sendPart(id: string, part: number, file: File, signal: AbortSignal): Promise<void> {
  const body = file.slice(part * limits.psdPartBytes, (part + 1) * limits.psdPartBytes)
  const headers = { 'content-type': 'application/octet-stream' }
  for (let attempt = 0; ; attempt++) {
    try {
      await send(`/dashboard/api/imports/${id}/parts/${part}`, { method: 'POST', headers, body, signal })
      return
    } catch (error) {
      const isWorthIt = error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429)
      const pauseMs = pausesMs[attempt]
      if (signal.aborted || !isWorthIt || pauseMs === undefined) throw error
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
  }
}

export const psdUploads = new PsdUploads()
