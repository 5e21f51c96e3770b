/** Photoshop files that this page sends, part after part; they go on while the person is on other pages. */
import { limits, type PsdRun, psdMapSchema, psdPartCount } from '@vitrine/contract'
import { z } from 'zod'
import { ApiError, act, get, post, send } from '../api.ts'
import { asError } from '../as-error.ts'
import { Observable } from '../components/observable.ts'

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

/** A file to send, and the number of its first part. */
type Sent = { readonly file: File; readonly firstPart: number }

const createdSchema = z.object({ id: z.string() })
const missingSchema = z.object({ missing: z.array(z.int().min(0)) })

/** The state of uploads, for one document: a file is known to the page alone that it was given to. */
class PsdUploads extends Observable {
  #all: readonly PsdUpload[] = []
  readonly #controllers = new Map<string, AbortController>()

  /**
   * Begins to send a file and displacement maps. Resolves with the import's id at once; the rest goes on.
   * @throws ApiError
   */
  async begin(file: File, maps: readonly File[] = []): Promise<string> {
    if (file.size > limits.psdSizeBytesMax) {
      const message = `“${file.name}” has ${Math.ceil(file.size / 1e6)} MB, and a Photoshop file may have ${limits.psdSizeBytesMax / 1e6} MB.`
      const hint = 'Merge layers, or reduce the image size, and save again.'
      throw new ApiError(413, 'PSD_TOO_LARGE', message, null, { hint })
    }
    const body = { file_name: file.name.slice(0, 200), size_bytes: file.size }
    const { id } = await post('/dashboard/api/imports', body, createdSchema)
    const sent = [{ file, firstPart: 0 }]
    for (const map of maps) sent.push(await announceMap(id, map.name, map))
    void this.#run(id, sent, { frames: [], colors: [] })
    return id
  }

  /** Goes on with an import whose page was closed; `file` is the same file again. */
  resume(id: string, file: File): void {
    if (!this.#controllers.has(id)) void this.#run(id, [{ file, firstPart: 0 }], { frames: [], colors: [] })
  }

  /** Sends the displacement map that an import lacks, and has it converted with it. @throws ApiError */
  async addMap(id: string, name: string, file: File, wanted: PsdRun): Promise<void> {
    if (this.#controllers.has(id)) return
    await this.#run(id, [await announceMap(id, name, file)], wanted)
  }

  cancel(id: string): void {
    this.#controllers.get(id)?.abort()
    this.#set(id, null)
  }

  readonly all = (): readonly PsdUpload[] => this.#all

  async #run(id: string, sent: readonly Sent[], wanted: PsdRun): Promise<void> {
    const controller = new AbortController()
    this.#controllers.set(id, controller)
    const upload = { id, fileName: sent[0]?.file.name ?? '', share: 0, error: null }
    this.#set(id, upload)
    try {
      await this.#sendParts(upload, sent, controller.signal)
      await act(`/dashboard/api/imports/${id}/run`, wanted)
      this.#set(id, null)
    } catch (failure) {
      if (!controller.signal.aborted) this.#set(id, { ...upload, error: asError(failure) })
    } finally {
      this.#controllers.delete(id)
    }
  }

  async #sendParts(upload: PsdUpload, sent: readonly Sent[], signal: AbortSignal): Promise<void> {
    const { id } = upload
    const all = sent.flatMap(({ file, firstPart }) =>
      Array.from({ length: psdPartCount(file.size) }, (_, index) => ({ file, index, part: firstPart + index })),
    )
    const { missing } = await get(`/dashboard/api/imports/${id}/parts`, missingSchema, signal)
    const lacking = all.filter(({ part }) => missing.includes(part))
    let done = all.length - lacking.length
    const rest = lacking.values()
    const work = async (): Promise<void> => {
      for (const { part, file, index } of rest) {
        const start = index * limits.psdPartBytes
        await sendPart(id, part, file.slice(start, start + limits.psdPartBytes), signal)
        done += 1
        this.#set(id, { ...upload, share: done / all.length })
      }
    }
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, work))
  }

  #set(id: string, upload: PsdUpload | null): void {
    const others = this.#all.filter(each => each.id !== id)
    this.#all = upload === null ? others : [...others, upload]
    this.notify()
  }
}

/** @throws ApiError */
async function announceMap(id: string, name: string, file: File): Promise<Sent> {
  const map = { name, size_bytes: file.size }
  const { first_part: firstPart } = await post(`/dashboard/api/imports/${id}/maps`, map, psdMapSchema)
  return { file, firstPart }
}

async function sendPart(id: string, part: number, body: Blob, signal: AbortSignal): Promise<void> {
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
