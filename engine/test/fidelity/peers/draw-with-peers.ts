import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { findSeenSize } from '../../../src/decode-plan.ts'
import type { PreparedFrame } from '../../../src/drawing/prepared-frame.ts'
import { buildArtworkMap, centredCover } from '../../../src/geometry/artwork-placement.ts'
import type { Quad } from '../../../src/geometry/quad.ts'
import type { Rect } from '../../../src/geometry/rect.ts'
import type { StraightPixmap } from '../../../src/pixmap.ts'
import { type FidelityCase, findArtworkQuad, isRepeated } from '../cases.ts'
import { background, type PreparedCase, type Scene } from '../measure-case.ts'
import { drawWithSharp } from './draw-with-sharp.ts'
import type { PeerPicture } from './peer-picture.ts'

export type PeerPictures = {
  readonly pictures: readonly PeerPicture[]
  readonly versions: Readonly<Record<string, string>>
  /** programs that are not installed */
  readonly missing: readonly string[]
}

/** A Python with OpenCV, which drives the other commands too. */
function findPython(): string | null {
  const found = ['/usr/bin/python3', 'python3'].find(
    program => spawnSync(program, ['-c', 'import cv2, numpy']).status === 0,
  )
  return found ?? null
}

/** So much of the scene round the frame is drawn, in pixels. */
const MARGIN_PX = 4

/** Every program's pictures of a case, with every setting that is tried. */
export async function drawWithPeers(
  measured: FidelityCase,
  scene: Scene,
  { prepared }: PreparedCase,
): Promise<PeerPictures> {
  const [frame] = prepared.frames
  if (!frame) throw new Error('The case lost its frame.')
  const { widthPx, heightPx } = scene.truth
  const { region: inner } = frame.plan
  const left = Math.max(0, inner.left - MARGIN_PX)
  const top = Math.max(0, inner.top - MARGIN_PX)
  const region = {
    left,
    top,
    widthPx: Math.min(widthPx, inner.left + inner.widthPx + MARGIN_PX) - left,
    heightPx: Math.min(heightPx, inner.top + inner.heightPx + MARGIN_PX) - top,
  }
  const scaled = (quad: Quad) => quad.map(([x, y]) => [x * scene.scale, y * scene.scale])
  const frameQuad = 'quad' in measured.shape ? scaled(measured.shape.quad) : null
  const quad = 'quad' in measured.shape ? scaled(findArtworkQuad(measured, measured.shape.quad)) : null
  const density = findDensity(measured, scene, frame)
  const job = {
    region: [region.left, region.top, region.widthPx, region.heightPx],
    quad,
    frameQuad,
    repeats: isRepeated(measured),
    isPlaced: measured.placement !== undefined,
    background: background,
    artwork: [scene.artwork.widthPx, scene.artwork.heightPx],
    density,
  }
  const bySharp = quad && !measured.placement ? await drawWithSharp(scene, quad, density) : []
  const python = findPython()
  if (python === null) {
    return {
      pictures: bySharp,
      versions: { sharp: sharp.versions.sharp ?? '?' },
      missing: ['OpenCV for Python', 'ImageMagick and libvips, which are driven from there'],
    }
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'fidelity-'))
  try {
    await writeFile(path.join(folder, 'job.json'), JSON.stringify(job))
    await writeFile(path.join(folder, 'map.f32'), buildPositions(scene, region))
    await writeFile(path.join(folder, 'artwork.ppm'), buildPpm(scene.artwork))
    if (quad === null) {
      const coverage = cutOut(scene.framed, widthPx, 1, region).map(share => Math.round(share * 255))
      await sharp(Uint8Array.from(coverage), {
        raw: { width: region.widthPx, height: region.heightPx, channels: 1 },
      })
        .toColourspace('b-w')
        .png()
        .toFile(path.join(folder, 'coverage.png'))
    }
    const { status, stdout, stderr } = spawnSync(python, [path.join(import.meta.dirname, 'peers.py'), folder], {
      encoding: 'utf8',
      maxBuffer: 2 ** 24,
    })
    const answer: unknown = status === 0 ? JSON.parse(stdout.trim().split('\n').at(-1) ?? '') : null
    if (!isAnswer(answer)) throw new Error(`The peers failed: ${stderr}`)
    const pictures: PeerPicture[] = []
    for (const { program, settings, file } of answer.pictures) {
      const { data } = await sharp(await readFile(path.join(folder, file)))
        .raw()
        .toBuffer({ resolveWithObject: true })
      pictures.push({ program, settings, data: placeOnScene(data, region, widthPx, heightPx) })
    }
    return {
      pictures: [...pictures, ...bySharp],
      versions: { ...answer.versions, sharp: sharp.versions.sharp ?? '?' },
      missing: answer.missing,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Pixels of the whole artwork, across and down, that give one per pixel of the scene where it is densest. */
function findDensity(measured: FidelityCase, { artwork }: Scene, frame: PreparedFrame): readonly [number, number] {
  const { widthPx, heightPx } = artwork
  const placement = measured.placement ?? centredCover
  const toArtwork = buildArtworkMap(placement, widthPx, heightPx, frame.aspectRatio)
  const seen = findSeenSize(frame.plan, toArtwork, 1)
  return [seen.widthPx, seen.heightPx]
}

type Answer = {
  readonly pictures: readonly { readonly program: string; readonly settings: string; readonly file: string }[]
  readonly versions: Readonly<Record<string, string>>
  readonly missing: readonly string[]
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && 'pictures' in value && 'versions' in value && 'missing' in value
}

/**
 * u and v at the centre of every pixel of the region: exact, where our own frame has a map of 16 bits at half
 * the size.
 */
function buildPositions({ map }: Scene, region: Rect): Float32Array {
  const positions = new Float32Array(region.widthPx * region.heightPx * 2)
  const at = new Float64Array(2)
  for (let y = 0, i = 0; y < region.heightPx; y++) {
    for (let x = 0; x < region.widthPx; x++, i += 2) {
      at.fill(0)
      map(region.left + x + 0.5, region.top + y + 0.5, at)
      positions.set(at, i)
    }
  }
  return positions
}

/** Without compression, which every program reads in no time. */
function buildPpm({ widthPx, heightPx, data }: StraightPixmap): Uint8Array {
  const header = new TextEncoder().encode(`P6\n${widthPx} ${heightPx}\n255\n`)
  const file = new Uint8Array(header.length + widthPx * heightPx * 3)
  file.set(header)
  for (let from = 0, to = header.length; from < data.length; from += 4, to += 3) {
    file[to] = data[from] ?? 0
    file[to + 1] = data[from + 1] ?? 0
    file[to + 2] = data[from + 2] ?? 0
  }
  return file
}

function cutOut(values: Float32Array, widthPx: number, channels: number, region: Rect): Float32Array {
  const rowLength = region.widthPx * channels
  const out = new Float32Array(rowLength * region.heightPx)
  for (let y = 0; y < region.heightPx; y++) {
    const from = ((region.top + y) * widthPx + region.left) * channels
    out.set(values.subarray(from, from + rowLength), y * rowLength)
  }
  return out
}

/** The region's pixels on a scene of the background's colour. */
function placeOnScene(data: Uint8Array, region: Rect, widthPx: number, heightPx: number): Uint8Array {
  const whole = new Uint8Array(widthPx * heightPx * 3)
  for (let i = 0; i < whole.length; i++) whole[i] = background[i % 3] ?? 0
  const rowBytes = region.widthPx * 3
  for (let y = 0; y < region.heightPx; y++) {
    whole.set(data.subarray(y * rowBytes, (y + 1) * rowBytes), ((region.top + y) * widthPx + region.left) * 3)
  }
  return whole
}
