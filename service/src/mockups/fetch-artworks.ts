import { DownloadError } from '../artwork-download/download-error.ts'
import type { RequestDownloads } from '../artwork-download/request-downloads.ts'
import type { PrivateFolder } from '../storage/private-folders.ts'
import type { FrameKey } from './frame-key.ts'
import { GenerationError } from './generation-error.ts'
import type { JobArtwork } from './render-job.ts'
import type { FrameArtwork } from './request-artwork.ts'

type NamedFile = { readonly file: string; readonly contentName: string }

/**
 * Downloads a request's artworks into its folder, each URL once. The first failure cancels the others. All
 * writing to the folder has ended when this returns or throws.
 *
 * @throws GenerationError `artwork-not-fetched`, or the signal's reason
 */
export async function fetchArtworks(
  artworks: readonly FrameArtwork[],
  downloads: RequestDownloads,
  folder: PrivateFolder,
  signal: AbortSignal,
): Promise<JobArtwork[]> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const fileByUrl = new Map<string, Promise<NamedFile>>()

  const fetchOnce = async (url: URL, frame: FrameKey | null, toFile: string): Promise<NamedFile> => {
    try {
      const { contentName } = await downloads.fetch(url, { toFile, signal: either })
      return { file: toFile, contentName }
    } catch (error) {
      const failure =
        error instanceof DownloadError
          ? new GenerationError({ kind: 'artwork-not-fetched', fault: error.fault, frame })
          : error
      failed.abort(failure)
      throw failure
    }
  }
  const fileOf = ({ source, frame }: FrameArtwork): Promise<NamedFile> => {
    if (source.kind === 'file') return Promise.resolve(source)
    const address = source.url.href.replace(/#.*$/, '')
    const known = fileByUrl.get(address)
    if (known !== undefined) return known
    const file = fetchOnce(source.url, frame, folder.file(`artwork-${fileByUrl.size}`))
    fileByUrl.set(address, file)
    return file
  }

  const files = await Promise.allSettled(artworks.map(fileOf))
  signal.throwIfAborted()
  // Throw the first failure, not the cancellations that it caused.
  failed.signal.throwIfAborted()
  return artworks.map(({ frame }, index) => {
    const file = files[index]
    if (file?.status !== 'fulfilled') throw new Error('An artwork failed without a reason')
    return { frame, file: file.value.file, contentName: file.value.contentName }
  })
}
