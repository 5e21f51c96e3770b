import { type FidelityCase, placedCases } from './cases.ts'
import { type DensityComparison, LEAST_DENSITY } from './compare-densities.ts'
import type { KernelComparison } from './compare-kernels.ts'
import { LIT_BAR_DB, type LitTemplate } from './lit-templates.ts'
import { SAMPLES_PER_AXIS, type Scores } from './measure-case.ts'
import { type PeerPicture, peerPrograms } from './peers/peer-picture.ts'
import { CROP_PX, CROP_ZOOM } from './write-crops.ts'

/** The best figures of a program, and the settings that gave it the best picture inside the frame. */
export type PeerScores = Scores & { readonly settings: string }

export type Row = {
  readonly measured: FidelityCase
  readonly ours: Scores
  /** the same from a JPEG, by our own decoder */
  readonly fromJpeg: Scores
  readonly peers: ReadonlyMap<string, PeerScores>
  readonly bestPeer: PeerPicture | null
}

/** Soft-edged artwork as a PNG, by what is stored where it is clear, as a WebP, and all of it as a JPEG. */
export type AlphaRow = {
  readonly measured: FidelityCase
  readonly overClear: Scores
  readonly overColor: Scores
  readonly asWebp: Scores
  readonly asJpeg: Scores
}

export type FidelityReport = {
  readonly sceneWidthPx: number
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
  readonly missing: readonly string[]
  /** how often kernels were timed */
  readonly rounds: number
  readonly rows: readonly Row[]
  readonly alphaRows: readonly AlphaRow[]
  readonly lit: readonly LitTemplate[]
  readonly kernels: readonly KernelComparison[]
  /** empty where the case that they are measured with was left out */
  readonly densities: readonly DensityComparison[]
}

type Figure = 'insideDb' | 'edgeDb' | 'ssim'

const figures: readonly (readonly [Figure, string])[] = [
  ['insideDb', 'Inside the frame, PSNR in dB'],
  ['edgeDb', 'Along its edges, PSNR in dB'],
  ['ssim', 'Inside the frame, SSIM'],
]

/**
 * What the figure has to reach; null where the issue sets none, or a map's mask makes the edge for everybody.
 */
function findBar({ insideDb, edgeDb }: FidelityCase, figure: Figure): number | null {
  return { insideDb, edgeDb, ssim: null }[figure]
}

function isCompared({ edgeDb }: FidelityCase, figure: Figure): boolean {
  return figure !== 'edgeDb' || edgeDb !== null
}

/** Every bar that does not hold, a sentence each. */
export function judge({ rows, alphaRows, lit, kernels }: FidelityReport): readonly string[] {
  const failures: string[] = []
  for (const { measured, ours, fromJpeg, peers } of rows) {
    for (const [figure, what] of figures) {
      if (!isCompared(measured, figure)) continue
      const bar = findBar(measured, figure)
      for (const [source, scores] of [
        ['a PNG', ours],
        ['a JPEG', fromJpeg],
      ] as const) {
        if (bar !== null && scores[figure] < bar) {
          failures.push(`${measured.name}, ${what}, from ${source}: ${scores[figure].toFixed(2)}, at least ${bar}.`)
        }
      }
      for (const [program, scores] of peers) {
        if (scores[figure] > ours[figure]) {
          failures.push(
            `${measured.name}, ${what}: ${program} ${scores[figure].toFixed(4)}, ours ${ours[figure].toFixed(4)}.`,
          )
        }
      }
    }
  }
  for (const { measured, overClear, overColor, asWebp, asJpeg } of alphaRows) {
    const least = Math.min(overClear.insideDb, overColor.insideDb)
    const bar = Math.max(measured.insideDb, asJpeg.insideDb)
    if (least < bar) {
      failures.push(`${measured.name} with soft edges: ${least.toFixed(2)}, at least ${bar.toFixed(2)}.`)
    }
    if (asWebp.insideDb < measured.insideDb) {
      failures.push(
        `${measured.name} with soft edges, from a WebP: ${asWebp.insideDb.toFixed(2)}, at least ${measured.insideDb}.`,
      )
    }
  }
  for (const { name, psnrDb } of lit) {
    if (psnrDb < LIT_BAR_DB) failures.push(`${name}, lit: ${psnrDb} dB, at least ${LIT_BAR_DB}.`)
  }
  for (const { kernel, work, greatest } of kernels) {
    if (greatest > 0) failures.push(`The kernel ${kernel} differs from its reference by ${greatest} (${work}).`)
  }
  return failures
}

/** Columns of other programs: the settings of one program share a column. */
const peerNames = [...new Set(peerPrograms.map(nameOfPeer))]

function nameOfPeer(program: string): string {
  return program.split(' ', 1)[0] ?? program
}

/** The best figure of other programs whose names begin so; null where none was measured. */
function findBest(peers: Row['peers'], figure: Figure, name = ''): number | null {
  const found = [...peers].flatMap(([program, scores]) => (program.startsWith(name) ? [scores[figure]] : []))
  return found.length === 0 ? null : Math.max(...found)
}

const writeLines = (lines: readonly (readonly (string | number)[])[]): string =>
  lines.map(cells => `| ${cells.join(' | ')} |`).join('\n')

function writeTable(rows: readonly Row[], figure: 'insideDb' | 'edgeDb'): string {
  const isInside = figure === 'insideDb'
  const heads = ['case', 'at least', '**Vitrine**', 'from a JPEG']
  const further = isInside ? [...peerNames, 'SSIM', 'SSIM of others'] : ['best of others']
  const show = (value: number | null, digits = 1): string => value?.toFixed(digits) ?? '-'
  const lines = rows
    .filter(({ measured }) => isCompared(measured, figure))
    .map(({ measured, ours, fromJpeg, peers }) => {
      const others = peerNames.map(name => show(findBest(peers, figure, name)))
      const ssim = [show(ours.ssim, 4), show(findBest(peers, 'ssim'), 4)]
      return [
        measured.name,
        findBar(measured, figure) ?? '-',
        `**${show(ours[figure])}**`,
        show(fromJpeg[figure]),
        ...(isInside ? [...others, ...ssim] : [show(findBest(peers, figure))]),
      ]
    })
  const header = [...heads, ...further]
  return writeLines([header, header.map(() => '---'), ...lines])
}

/** Artwork with alpha; nothing where it was not measured. */
function writeAlphaRows(alphaRows: readonly AlphaRow[]): string {
  if (alphaRows.length === 0) return ''
  const rows = alphaRows.map(({ measured, overClear, overColor, asWebp, asJpeg }) => {
    const cells = [overClear, overColor, asWebp, asJpeg].map(
      ({ insideDb, ssim }) => `${insideDb.toFixed(1)}, ${ssim.toFixed(4)}`,
    )
    return `| ${measured.name} | ${cells.join(' | ')} |`
  })
  return `
## Artwork with soft edges

The same artwork cut to discs with soft edges, as a PNG with alpha that is black or a bright colour where it is clear, as a lossless WebP, and composed as a JPEG. PSNR inside the frame in dB, and SSIM; a PNG must not be behind the JPEG, a WebP not behind the case's bar.

| case | over clear | over hidden colour | as a WebP | as a JPEG |
|---|---|---|---|---|
${rows.join('\n')}
`
}

/** What decoding a JPEG to fewer pixels costs and saves; nothing where it was not measured. */
function writeDensities(densities: readonly DensityComparison[]): string {
  if (densities.length === 0) return ''
  const rows = densities.map(({ eighths, hardEdgedDb, photographDb, costMs }) => {
    const pair = (values: readonly [number, number], digits: number): string =>
      values.map(value => value.toFixed(digits)).join(' | ')
    const density = ((LEAST_DENSITY * (eighths + 1)) / eighths).toFixed(2)
    return `| ${eighths} | ${density} | ${pair(hardEdgedDb, 1)} | ${pair(photographDb, 1)} | ${pair(costMs, 0)} |`
  })
  return `
## Density of JPEG artwork

Our decoder reduces to N eighths of the size ([which N](decisions/decoding.md#sizes)). Here each N where it just reaches ${LEAST_DENSITY} times the frame's density, beside one eighth more: PSNR inside the gentle frame, and the CPU milliseconds of decoding 3000 x 4500 px. Up to N = 3 the second column of each pair is what is taken, from 4 on the first. Hard-edged: the artwork of the cases above.

| N | times the density at N + 1 | hard-edged, dB: N | N + 1 | photograph, dB: N | N + 1 | CPU ms: N | N + 1 |
|---|---|---|---|---|---|---|---|
${rows.join('\n')}
`
}

const ABSENT = '**Not installed, and not measured where a column has no figure: '

/** What stands before the page's tables. */
export function writeHead(failures: readonly string[], missing: readonly string[]): string {
  const verdict =
    failures.length === 0
      ? 'Every bar holds, and every figure is above the best of every other program.'
      : `Not every bar holds:\n\n${failures.map(failure => `- ${failure}`).join('\n')}`
  const absent = missing.length === 0 ? '' : `\n${ABSENT}${missing.join('; ')}.**\n`
  return `# Fidelity

How near the renderer comes to the true picture. Written by \`npm run fidelity\`; do not edit by hand.

${verdict}
${absent}
`
}

/** The programs that a page's head names as missing. */
export function readMissing(head: string): readonly string[] {
  const [, names = ''] = head.split(ABSENT)
  return names === '' ? [] : (names.split('.**')[0] ?? '').split('; ')
}

/** docs/fidelity.md */
export function writePage(report: FidelityReport): string {
  const { rows, lit, kernels } = report
  const versions = Object.entries(report.versions).map(([name, version]) => `${name} ${version}`)
  const table = (figure: 'insideDb' | 'edgeDb'): string => writeTable(rows, figure)
  const what = rows
    .filter(({ measured }) => !placedCases.includes(measured))
    .map(({ measured }) => `| ${measured.name} | ${measured.what} |`)
  const worstLit = lit.toSorted((a, b) => a.psnrDb - b.psnrDb)[0]
  const kernelRows = kernels
    .filter(({ work }) => !placedCases.some(({ name }) => name === work))
    .map(
      ({ kernel, work, plainMs, fastMs }) => `| ${kernel} | ${work} | ${plainMs.toFixed(1)} | ${fastMs.toFixed(1)} |`,
    )
  const crops = rows.map(({ measured, bestPeer }) => {
    const peer = bestPeer ? `${bestPeer.program}, ${bestPeer.settings}` : 'no other program'
    return `**${measured.name}**: ${peer}\n\n![${measured.name}](fidelity/${measured.name}.webp)`
  })
  return `${writeHead(judge(report), report.missing)}| case | |
|---|---|
${what.join('\n')}

Cases with *quad* or *map* in their names have placed artwork: turned by 17 degrees, contained, at a fifth or six times of its size, or repeated at 0.15 of it.

Truth is the mean of ${SAMPLES_PER_AXIS} x ${SAMPLES_PER_AXIS} points per pixel of a scene ${report.sceneWidthPx} px wide, each read from the artwork at full resolution by Catmull-Rom (\`engine/test/reference/supersample.ts\`, which shares no code with the renderer). The artwork holds noise of every size, text, a zone plate, gratings of 1 to 12 pixels and a star of thin lines: harder than any photograph. Ours goes through the codec and the kernel that the service uses, from a PNG and from a JPEG.

The inside is 2 pixels and more from the frame's edge, edges are within 2 pixels of it, SSIM in 8 x 8 windows of luma; *at least* is what the tests demand. The edge of a map that the artwork fills is its mask, the same for all, and not compared. Placed artwork has edges of its own, inside the frame too.

## Beside other programs

${versions.join(', ')}; ${report.machine}. Each figure is the best that a program reached with any of these settings (\`engine/test/fidelity/peers/\`):

- **OpenCV**: reduced with \`INTER_AREA\` to 1, 1.25, 1.6 and 2 times the frame's greatest density, then \`warpPerspective\`, or \`remap\` with exact positions, linear, cubic or Lanczos4; coverage at 8 times the density.
- **ImageMagick**: \`-distort Perspective\` (EWA) with its default filter and with Lanczos. It cannot follow a map with filtering.
- **libvips**: \`thumbnail\` to the same four densities, then \`mapim\`, bicubic, with exact positions.
- **sharp**: \`resize\` to the same four densities, \`affine\`, bicubic, \`composite\`. It has no perspective and no maps.

Maps are given to the others exactly, to us as a template stores them: 16 bits at half the scene's resolution.

### Inside the frame, PSNR in dB

${table('insideDb')}

### Along its edges, PSNR in dB

${table('edgeDb')}
${writeAlphaRows(report.alphaRows)}
## Lit templates

Each mockup of a starter template is at least ${LIT_BAR_DB} dB from Blender's own render of the scene: [${lit.length} templates](fidelity-templates.md)${worstLit ? `, of which \`${worstLit.name}\` has the least, ${worstLit.psnrDb.toFixed(1)} dB` : ''}.

## Fast kernels beside the plain definition

CPU milliseconds, medians of ${report.rounds}. A kernel whose bytes are not those of the plain TypeScript fails its test, in the cases of placed artwork too.

| kernel | work | plain | fast |
|---|---|---|---|
${kernelRows.join('\n')}
${writeDensities(report.densities)}
## Crops, ${CROP_PX} x ${CROP_PX} pixels enlarged ${CROP_ZOOM} times

Truth, Vitrine, and the best picture of any other program, which is named. Above the part where *Vitrine* errs most, below small text.

${crops.join('\n\n')}

## Measuring again

\`npm run fidelity\` (minutes; \`-- --width 500\` for a quick look, \`-- --truth FOLDER\` to save truth between runs, \`-- --cases gentle,cloth --renew\` for some cases alone). \`VITRINE_TEST_SIZE=full node --test engine/test/fidelity/fidelity.test.ts\` holds the bars at 2,000 px.
`
}
