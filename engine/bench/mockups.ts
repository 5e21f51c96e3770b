import sharp from 'sharp'
import {
  type ArtworkFacts,
  composeMockup,
  type DecodedArtwork,
  findDecodeTarget,
  type ImageCodec,
  inspectArtwork,
  type OpaquePixmap,
  type PictureOutput,
  type Placements,
  type PreparedTemplate,
  Renderer,
  ReusedMemory,
} from '../src/index.ts'
import { createFrameKernel, createSharpCodec } from '../src/node/index.ts'
import { again, hashOf, measureInTurn, type Task } from './measure.ts'

export const kernel = createFrameKernel()
const renderer = new Renderer(kernel, () => performance.now())
/** Pixels of decoded artwork, used again as in a render process. */
export const memory = new ReusedMemory({ maxBytes: 64 * 1024 * 1024, maxCount: 4 })
export const codec = createSharpCodec({ scenesBytes: 512 * 1024 * 1024, memory })
export const jpeg: PictureOutput = { format: 'jpeg', quality: 85 }

/** A template, an artwork for all its frames, and that artwork decoded for each. */
export type Subject = {
  readonly prepared: PreparedTemplate
  readonly artwork: Uint8Array
  readonly decoded: readonly DecodedArtwork[]
  readonly picture: OpaquePixmap
  /** one for all frames; missing: the artwork fills them */
  readonly placements?: Pick<Placements, 'all'>
}

export async function loadSubject(
  prepared: PreparedTemplate,
  artwork: Uint8Array,
  placements: Pick<Placements, 'all'> = {},
): Promise<Subject> {
  const { widthPx, heightPx } = inspectArtwork(artwork)
  const decoded: DecodedArtwork[] = []
  for (const frame of prepared.frames) {
    decoded.push(await codec.decodeArtwork(artwork, findDecodeTarget(frame, widthPx, heightPx, placements.all)))
  }
  const picture = composeMockup(prepared, decoded, kernel, null, placements)
  return { prepared, artwork, decoded, picture, placements }
}

/** The whole mockup as the service renders it, with another codec where one is given. */
export async function render(
  subject: Subject,
  output: PictureOutput,
  decoder: ImageCodec = codec,
): Promise<Uint8Array> {
  const { prepared, artwork, placements = {} } = subject
  // A render process inspects an artwork once. Where it is decoded already, that is not counted.
  const facts = decoder === codec ? inspectArtwork(artwork) : inspectOnce(artwork)
  const held: DecodedArtwork[] = []
  const holder: ImageCodec = {
    ...decoder,
    decodeArtwork: async (bytes, target, known) => {
      const decoded = await decoder.decodeArtwork(bytes, target, known)
      held.push(decoded)
      return decoded
    },
  }
  const { bytes } = await renderer.render({ prepared, artworks: { bytes: artwork, facts }, placements, output }, holder)
  if (decoder === codec) for (const { data } of held) memory.giveBack(data)
  return bytes
}

const inspected = new WeakMap<Uint8Array, ArtworkFacts>()

function inspectOnce(artwork: Uint8Array): ArtworkFacts {
  const known = inspected.get(artwork) ?? inspectArtwork(artwork)
  inspected.set(artwork, known)
  return known
}

/** A codec that has every artwork of the subject decoded already. */
export function withDecoded({ prepared, artwork, decoded, placements }: Subject): ImageCodec {
  const { widthPx, heightPx } = inspectOnce(artwork)
  const targets = prepared.frames.map(frame => findDecodeTarget(frame, widthPx, heightPx, placements?.all))
  return {
    ...codec,
    decodeArtwork: async (_bytes, target) => {
      const index = targets.findIndex(
        known => target !== null && known.minWidthPx === target.minWidthPx && known.minHeightPx === target.minHeightPx,
      )
      const found = decoded[Math.max(0, index)]
      if (!found) throw new Error('Expected a decoded artwork for the frame.')
      return found
    },
  }
}

export type Stages = {
  readonly inspect: number
  readonly decode: number
  readonly compose: number
  readonly encode: number
  /** the whole mockup, and the same with the artwork decoded before */
  readonly cold: number
  readonly warm: number
}

/** CPU milliseconds of every stage of one mockup, each measured by itself, and of the whole. */
export async function measureStages(subject: Subject, output: PictureOutput, rounds: number): Promise<Stages> {
  const { prepared, artwork, decoded, picture } = subject
  const { widthPx, heightPx } = inspectArtwork(artwork)
  const warmCodec = withDecoded(subject)
  const backdrop = { scene: prepared.empty, drawn: prepared.touchedBands }
  const reused = { ...picture, data: new Uint8Array(picture.data) }
  const tasks = new Map<string, Task>([
    [
      'inspect',
      () => {
        inspectArtwork(artwork)
        return undefined
      },
    ],
    [
      'decode',
      async () => {
        for (const frame of prepared.frames) {
          const { data } = await codec.decodeArtwork(artwork, findDecodeTarget(frame, widthPx, heightPx))
          memory.giveBack(data)
        }
        return undefined
      },
    ],
    [
      'compose',
      () => {
        composeMockup(prepared, decoded, kernel, reused)
        return undefined
      },
    ],
    ['encode', () => discard(codec.encode(picture, output, backdrop))],
    ['cold', () => discard(render(subject, output))],
    ['warm', () => discard(render(subject, output, warmCodec))],
  ])
  const costs = await measureInTurn(tasks, rounds)
  const of = (name: string): number => costs.get(name) ?? Number.NaN
  return {
    inspect: of('inspect'),
    decode: of('decode'),
    compose: of('compose'),
    encode: of('encode'),
    cold: of('cold'),
    warm: of('warm'),
  }
}

/**
 * CPU milliseconds of composing and encoding (JPEG) each subject in turn, each stage after the same stage of
 * the same subject, as in a series of mockups of one template and artwork.
 */
export async function measureRender(subjects: readonly Subject[], rounds: number): Promise<readonly number[]> {
  const tasks = new Map<string, Task>()
  subjects.forEach(({ prepared, decoded, picture }, index) => {
    const backdrop = { scene: prepared.empty, drawn: prepared.touchedBands }
    const reused = { ...picture, data: new Uint8Array(picture.data) }
    const compose = (): undefined => {
      composeMockup(prepared, decoded, kernel, reused)
    }
    tasks.set(`compose ${index}`, again(compose))
    tasks.set(
      `encode ${index}`,
      again(() => discard(codec.encode(picture, jpeg, backdrop))),
    )
  })
  const costs = await measureInTurn(tasks, rounds)
  return subjects.map(
    (_, index) => (costs.get(`compose ${index}`) ?? Number.NaN) + (costs.get(`encode ${index}`) ?? Number.NaN),
  )
}

/**
 * CPU milliseconds of whole mockups (JPEG) of each subject in turn, decoding included, and of
 * `measureRender`.
 */
export async function measureWhole(
  subjects: readonly Subject[],
  rounds: number,
): Promise<readonly { readonly cold: number; readonly render: number }[]> {
  const costs = await measureInTurn(
    new Map(subjects.map((subject, index): [string, Task] => [String(index), () => discard(render(subject, jpeg))])),
    rounds,
  )
  const renders = await measureRender(subjects, rounds)
  return subjects.map((_, index) => ({
    cold: costs.get(String(index)) ?? Number.NaN,
    render: renders[index] ?? Number.NaN,
  }))
}

/** Whole mockups as they are compared with others, and the encoding of a PNG. */
export function renderTasks(subject: Subject): ReadonlyMap<string, Task> {
  const { prepared, picture } = subject
  const warmCodec = withDecoded(subject)
  const backdrop = { scene: prepared.empty, drawn: prepared.touchedBands }
  return new Map<string, Task>([
    ['Vitrine, cold', () => discard(render(subject, jpeg))],
    ['Vitrine, artwork decoded', () => discard(render(subject, jpeg, warmCodec))],
    ['Vitrine, artwork of the mockup before', again(() => discard(render(subject, jpeg, warmCodec)))],
    ['Vitrine, PNG encode', () => discard(codec.encode(picture, { format: 'png' }, backdrop))],
  ])
}

export async function discard(work: Promise<unknown>): Promise<undefined> {
  await work
}

/** The floor of a mockup: libvips decoding (reduced to the frame), libjpeg-turbo's default encoding. */
export function floorTasks(subject: Subject, frameWidthPx: number): ReadonlyMap<string, Task> {
  const { artwork, picture } = subject
  const raw = { width: picture.widthPx, height: picture.heightPx, channels: 3 } as const
  const encode = (): Promise<undefined> => discard(sharp(picture.data, { raw }).jpeg({ quality: 85 }).toBuffer())
  return new Map<string, Task>([
    ['libvips decode', () => discard(sharp(artwork).resize(frameWidthPx).raw().toBuffer())],
    ['libjpeg-turbo encode', encode],
    ['libjpeg-turbo encode again', again(encode)],
    ['libpng encode', () => discard(sharp(picture.data, { raw }).png().toBuffer())],
    [
      'sharp composition',
      async () => {
        const { data, info } = await sharp(artwork).resize(frameWidthPx).raw().toBuffer({ resolveWithObject: true })
        const frame = { width: info.width, height: info.height, channels: info.channels } as const
        const [quad] = subject.prepared.frames
        const { left = 0, top = 0 } = quad?.plan.region ?? {}
        await sharp(subject.prepared.empty.data, { raw })
          .composite([{ input: data, raw: frame, left, top, blend: 'multiply' }])
          .jpeg({ quality: 85 })
          .toBuffer()
        return undefined
      },
    ],
  ])
}

/** A digest of a mockup's bytes, to compare runs. */
export async function hashMockup(subject: Subject, output: PictureOutput): Promise<string> {
  return hashOf(await render(subject, output))
}
