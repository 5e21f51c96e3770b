import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { templateList } from '@vitrine/contract'
import sharp from 'sharp'
import { buildRequest, type LoadClient } from './load-client.ts'
import { readSampleArtwork, type SpawnedService } from './spawned-service.ts'

/** How the artwork is sent: as one of the URLs in 200 bytes of JSON, or in a multipart body of 256 KB. */
export type ArtworkSource = { readonly urls: readonly string[] } | 'upload'

/** Requests under way in the closed loop: no render process idles, and no request waits long. */
const CLOSED_LOOP = 16

/** Addresses of the artwork's server: the service takes few downloads at once from each of them. */
const ORIGIN_COUNT = 4

/** One request for each key: the artwork placed into the first template. */
export async function buildMockupRequests(
  service: SpawnedService,
  keys: readonly string[],
  { artwork, widthPx }: { readonly artwork: ArtworkSource; readonly widthPx: number },
): Promise<readonly Buffer[]> {
  const listed = await fetch(`${service.url}/api/v1/templates?limit=1`, {
    headers: { authorization: `Bearer ${keys[0]}` },
  })
  const templateId = templateList.parse(await listed.json()).templates[0]?.id ?? ''
  const bodies =
    artwork === 'upload'
      ? [await buildForm(templateId, widthPx)]
      : artwork.urls.map(url => buildJson(templateId, widthPx, url))
  return keys.map((key, index) => {
    const { contentType, body } = pick(bodies, index % bodies.length)
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': contentType }
    return buildRequest('POST', '/api/v1/mockups/generate', headers, body)
  })
}

type Body = { readonly contentType: string; readonly body: Uint8Array }

function buildJson(templateId: string, widthPx: number, artworkUrl: string): Body {
  const fields = { template_id: templateId, artwork_url: artworkUrl, width: widthPx }
  return { contentType: 'application/json', body: Buffer.from(JSON.stringify(fields)) }
}

async function buildForm(templateId: string, widthPx: number): Promise<Body> {
  const form = new FormData()
  form.set('template_id', templateId)
  form.set('width', String(widthPx))
  form.set('artwork', new Blob([new Uint8Array(await buildArtwork())], { type: 'image/jpeg' }), 'artwork.jpg')
  const encoded = new Response(form)
  return {
    contentType: encoded.headers.get('content-type') ?? '',
    body: new Uint8Array(await encoded.arrayBuffer()),
  }
}

/** A JPEG of 1,000 px and 256 KB. */
async function buildArtwork(): Promise<Buffer> {
  return sharp(await readSampleArtwork())
    .resize(1000)
    .jpeg({ quality: 80 })
    .toBuffer()
}

type ArtworkOrigin = Disposable & {
  /** All of its addresses, as ARTWORK_ALLOWED_PRIVATE_HOSTS takes them. */
  readonly hosts: string
  readonly urls: readonly string[]
}

/**
 * A web server on this machine that has the artwork, at several addresses (Linux: all of 127.0.0.0/8). It
 * answers every connection with the same bytes, so that it costs little in the load client's process.
 */
export async function startArtworkOrigin(): Promise<ArtworkOrigin> {
  const artwork = await buildArtwork()
  const head = `HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: ${artwork.length}\r\nConnection: close\r\n\r\n`
  const answer = Buffer.concat([Buffer.from(head), artwork])
  const open = new Set<Socket>()
  const serve = async (address: string) => {
    const server = createServer(socket => {
      open.add(socket)
      // A cancelled download breaks its connection.
      socket.on('error', () => socket.destroy())
      socket.once('close', () => open.delete(socket))
      socket.once('data', () => socket.end(answer))
    }).listen(0, address)
    await once(server, 'listening')
    const bound = server.address()
    if (bound === null || typeof bound === 'string') throw new Error('Expected a TCP address')
    return { server, host: `${address}:${bound.port}` }
  }
  const servers = await Promise.all(Array.from({ length: ORIGIN_COUNT }, (_, index) => serve(`127.0.0.${index + 1}`)))
  return {
    hosts: servers.map(({ host }) => host).join(','),
    urls: servers.map(({ host }) => `http://${host}/artwork.jpg`),
    [Symbol.dispose]: () => {
      for (const socket of open) socket.destroy()
      for (const { server } of servers) server.close()
    },
  }
}

/** Keeps every render process busy. @returns mockups per second */
export async function closedLoop(client: LoadClient, requests: readonly Buffer[], seconds: number): Promise<number> {
  const startedMs = performance.now()
  let succeeded = 0
  const one = async (first: number) => {
    for (let i = first; performance.now() < startedMs + seconds * 1000; i += CLOSED_LOOP) {
      const { status } = await client.send(pick(requests, i % requests.length))
      if (status === 200) succeeded += 1
    }
  }
  await Promise.all(Array.from({ length: CLOSED_LOOP }, (_, first) => one(first)))
  return (succeeded * 1000) / (performance.now() - startedMs)
}

/** An item by its index. */
export function pick<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new RangeError(`Expected an index below ${items.length} but received ${index}`)
  return item
}
