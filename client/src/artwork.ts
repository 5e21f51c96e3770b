/** A JPEG, PNG, WebP or GIF of at most 20 MB. A stream is buffered, so that retries can send it again. */
export type ArtworkBytes = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** A picture: its bytes, or an http(s) URL that the service downloads it from. */
export type ArtworkSource = ArtworkBytes | string | URL

/** One picture for every frame, or pictures by frame index or slot. */
export type Artwork = ArtworkSource | readonly ArtworkSource[] | Readonly<Record<number | string, ArtworkSource>>

type Fields = Readonly<Record<string, unknown>>

/** A body that can be sent more than once. */
export type Body = { readonly content: string | FormData; readonly type: string | undefined }

const isAddress = (source: ArtworkSource): source is string | URL => typeof source === 'string' || source instanceof URL

const isBytes = (artwork: Artwork): artwork is ArtworkBytes =>
  artwork instanceof Blob ||
  artwork instanceof ArrayBuffer ||
  ArrayBuffer.isView(artwork) ||
  artwork instanceof ReadableStream

async function toBlob(source: ArtworkBytes): Promise<Blob> {
  if (source instanceof ReadableStream) return new Response(source).blob()
  return source instanceof Blob ? source : new Blob([source])
}

/**
 * Builds a request's body: JSON if artwork is given by URL, a form if by bytes.
 *
 * @throws {TypeError} if both are mixed
 */
export async function buildBody(fields: Fields, artwork: Artwork): Promise<Body> {
  if (typeof artwork === 'string' || artwork instanceof URL) return toJson({ ...fields, artwork_url: artwork })
  if (isBytes(artwork)) return toForm(fields, [['artwork', await toBlob(artwork)]])
  const byFrame = Object.entries<ArtworkSource>(artwork)
  if (byFrame.every(([, source]) => isAddress(source)))
    return toJson({ ...fields, artwork_urls: Object.fromEntries(byFrame) })
  const files = await Promise.all(
    byFrame.map(async ([frame, source]): Promise<[string, Blob]> => {
      if (isAddress(source)) throw new TypeError('Expected addresses or bytes as artwork but received both')
      return [/^\d+$/.test(frame) ? `artwork_${frame}` : `artwork.${frame}`, await toBlob(source)]
    }),
  )
  return toForm(fields, files)
}

function toJson(fields: Fields): Body {
  return { content: JSON.stringify(fields), type: 'application/json' }
}

/** `fetch` sets a form's content type, which includes the boundary. */
function toForm(fields: Fields, files: readonly (readonly [string, Blob])[]): Body {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  for (const [name, file] of files) form.append(name, file, name)
  return { content: form, type: undefined }
}
