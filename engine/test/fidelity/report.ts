/**
 * `npm run fidelity`: measures the renderer against supersampled truth, beside ImageMagick's EWA where it is installed, and writes docs/fidelity.md with
 * crops that a person can judge. Takes minutes. `npm run fidelity -- 1000` measures at another width than 2,000 px.
 */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { arch, cpus, tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { createFrameKernel } from '../../src/node/index.ts'
import type { OpaquePixmap } from '../../src/pixmap.ts'
import { type FidelityCase, fidelityCases } from './cases.ts'
import { decodeWithSharp } from './decode-with-sharp.ts'
import { buildScene, drawCase, prepareCase, type Scene, type Scores, scorePicture } from './measure-case.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const pictureDir = path.join(root, 'docs/fidelity')
const sceneWidthPx = Number(process.argv[2] ?? 2000)
const kernel = createFrameKernel()
const SAMPLES_PER_AXIS = 16

/** Side of a crop in pixels, and how many times it is enlarged in the page's pictures. */
const CROP_PX = 96
const CROP_ZOOM = 3

type Row = { readonly measured: FidelityCase; readonly ours: Scores; readonly peer: Scores | null }

function findImageMagick(): string | null {
  for (const program of ['/usr/bin/convert', 'convert']) {
    const { stdout } = spawnSync(program, ['-version'], { encoding: 'utf8' })
    const version = /ImageMagick [\d.-]+/.exec(stdout ?? '')
    if (version) return `${program}\n${version[0]}`
  }
  return null
}

/** The same scene by ImageMagick's EWA resampling, as a careful user calls it: -distort Perspective with the corners in continuous coordinates. */
async function renderWithImageMagick(
  program: string,
  measured: FidelityCase,
  scene: Scene,
): Promise<Float32Array | null> {
  if (!('quad' in measured.shape)) return null
  const { artwork, truth, scale } = scene
  const folder = await mkdtemp(path.join(tmpdir(), 'fidelity-'))
  try {
    const raw = { width: artwork.widthPx, height: artwork.heightPx, channels: 4 } as const
    await sharp(artwork.data, { raw }).png({ compressionLevel: 1 }).toFile(path.join(folder, 'artwork.png'))
    const from = [
      [0, 0],
      [artwork.widthPx, 0],
      [artwork.widthPx, artwork.heightPx],
      [0, artwork.heightPx],
    ]
    const points = measured.shape.quad.map(([x, y], i) => `${from[i]?.join(',')} ${x * scale},${y * scale}`).join('  ')
    const { status } = spawnSync(program, [
      path.join(folder, 'artwork.png'),
      '-alpha',
      'set',
      '-virtual-pixel',
      'transparent',
      '-define',
      `distort:viewport=${truth.widthPx}x${truth.heightPx}+0+0`,
      '-distort',
      'Perspective',
      points,
      '-background',
      'rgb(206,198,186)',
      '-compose',
      'over',
      '-flatten',
      '-depth',
      '8',
      path.join(folder, 'out.png'),
    ])
    if (status !== 0) return null
    const { data } = await sharp(await readFile(path.join(folder, 'out.png')))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return Float32Array.from(data)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Where the crop of a case is taken: inside the frame's first covered row that is deep enough, near its left edge. */
function findCrop({ truth }: Scene): { left: number; top: number } {
  const { widthPx, heightPx, covered } = truth
  const rows = Array.from({ length: heightPx }, (_, y) => y).filter(y =>
    covered.subarray(y * widthPx, (y + 1) * widthPx).includes(1),
  )
  const top = Math.min(heightPx - CROP_PX, (rows[0] ?? 0) + Math.floor(rows.length * 0.55))
  const row = covered.subarray((top + CROP_PX / 2) * widthPx, (top + CROP_PX / 2 + 1) * widthPx)
  return { left: Math.max(0, Math.min(widthPx - CROP_PX, row.indexOf(1) - 12)), top }
}

async function writeCrop(file: string, data: ArrayLike<number>, scene: Scene): Promise<void> {
  const { left, top } = findCrop(scene)
  const bytes = Uint8Array.from(data, value => Math.max(0, Math.min(255, Math.round(value))))
  await sharp(bytes, { raw: { width: scene.truth.widthPx, height: scene.truth.heightPx, channels: 3 } })
    .extract({ left, top, width: CROP_PX, height: CROP_PX })
    .resize(CROP_PX * CROP_ZOOM, CROP_PX * CROP_ZOOM, { kernel: 'nearest' })
    .png({ compressionLevel: 9, palette: true })
    .toFile(path.join(pictureDir, file))
}

const [program, peerName] = findImageMagick()?.split('\n') ?? []
await rm(pictureDir, { recursive: true, force: true })
await mkdir(pictureDir, { recursive: true })
const rows: Row[] = []
for (const measured of fidelityCases) {
  const scene = buildScene(measured, sceneWidthPx, SAMPLES_PER_AXIS)
  const picture: OpaquePixmap = drawCase(await prepareCase(measured, scene, decodeWithSharp), kernel)
  const ours = scorePicture(picture.data, scene.truth)
  await writeCrop(`${measured.name}-truth.png`, scene.truth.data, scene)
  await writeCrop(`${measured.name}-vitrine.png`, picture.data, scene)
  const other = program === undefined ? null : await renderWithImageMagick(program, measured, scene)
  if (other) await writeCrop(`${measured.name}-imagemagick.png`, other, scene)
  const peer = other ? scorePicture(other, scene.truth) : null
  rows.push({ measured, ours, peer })
  console.log(
    `${measured.name}: inside ${ours.insideDb.toFixed(2)} dB${peer ? `, ImageMagick ${peer.insideDb.toFixed(2)}` : ''}`,
  )
}

const db = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(1))
const table = rows.map(({ measured, ours, peer }) => {
  const edge = measured.edgeDb === null ? '-' : db(ours.edgeDb)
  const cells = [
    measured.name,
    measured.what,
    db(measured.insideDb),
    db(ours.insideDb),
    db(peer?.insideDb),
    edge,
    db(peer?.edgeDb),
  ]
  return `| ${[...cells, ours.ssim.toFixed(4), peer ? peer.ssim.toFixed(4) : '-'].join(' | ')} |`
})
const crops = rows.map(({ measured, peer }) => {
  const image = (who: string): string => `![${measured.name}, ${who}](fidelity/${measured.name}-${who}.png)`
  return `| ${measured.name} | ${image('truth')} | ${image('vitrine')} | ${peer ? image('imagemagick') : '-'} |`
})
const page = `# Fidelity

How near the renderer comes to the picture as it ought to be. Written by \`npm run fidelity\`; do not edit by hand.

Truth is ${SAMPLES_PER_AXIS} x ${SAMPLES_PER_AXIS} points per pixel of a scene ${sceneWidthPx} px wide, each point read from the artwork at full resolution (between its pixels by Catmull-Rom),
averaged with equal weight: \`engine/test/reference/supersample.ts\`, which shares no code with the renderer. The artwork holds noise of every size, text, a zone plate, gratings
of 1 to 12 pixels and a star of thin lines: harder than any photograph. Ours goes through the codec that the service uses, at 8 bits. *Inside* is PSNR 2 pixels and more from the frame's edge, *edge* within 2 pixels
of it, SSIM (8 x 8 windows of luma) inside; *at least* is what the tests demand.

| case | what | at least | **inside, dB** | ${peerName ?? 'ImageMagick'} EWA | **edge, dB** | EWA | **SSIM** | EWA |
|---|---|---|---|---|---|---|---|---|
${table.join('\n')}

EWA is \`convert -distort Perspective\` with its default filter, given the same corners; it has no way to follow a map with filtering, hence the dashes.

Measured on ${cpus()[0]?.model ?? arch()}, Node ${process.versions.node}.

## Crops, ${CROP_PX} x ${CROP_PX} pixels enlarged ${CROP_ZOOM} times

| | truth | Vitrine | ImageMagick EWA |
|---|---|---|---|
${crops.join('\n')}
`
await writeFile(path.join(root, 'docs/fidelity.md'), page)
