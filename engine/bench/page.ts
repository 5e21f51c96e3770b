import type { BlendingCost } from './blending.ts'
import type { Stages } from './mockups.ts'
import type { PlacementCost } from './placements.ts'
import type { SceneKind } from './scenes.ts'

/** A bar of the project and the measured value; `atMost` is null where a figure only informs. */
export type Bar = { readonly name: string; readonly atMost: number | null; readonly value: number }

/** The figures of a run. CPU in milliseconds. */
export type Report = {
  readonly machine: string
  readonly versions: Readonly<Record<string, string>>
  readonly artwork: string
  readonly rounds: number
  readonly peakMiB: number
  readonly cases: readonly {
    readonly name: string
    readonly kind: SceneKind
    readonly artwork: string
    readonly stages: Stages
    readonly hash: string
  }[]
  readonly costs: Readonly<Record<string, number>>
  /** the default mockup from other artwork; empty in a short run */
  readonly others: readonly { readonly artwork: string; readonly costs: Report['costs'] }[]
  /** empty in a short run */
  readonly placements: readonly PlacementCost[]
  readonly blending: readonly BlendingCost[]
  readonly bars: readonly Bar[]
}

const ms = (value: number): string => value.toFixed(1)

/** The default mockup from other artwork beside others; nothing where it was not measured. */
function writeOthers(others: Report['others']): string {
  if (others.length === 0) return ''
  const tasks = new Set(others.flatMap(({ costs }) => Object.keys(costs)))
  const rows = [...tasks].map(task => {
    const cells = others.map(({ costs }) => {
      const cost = costs[task] ?? Number.NaN
      return `${ms(cost)}, ${(cost / (costs['Vitrine, cold'] ?? Number.NaN)).toFixed(2)}`
    })
    return `| ${task} | ${cells.join(' | ')} |`
  })
  return `
The same from artwork that print shops get as PNG: CPU ms, and by how many times that is Vitrine's cold mockup. Others stretch the whole picture over the frame. OpenCV lays alpha over white, which multiplies as clear artwork does.

| | ${others.map(({ artwork }) => artwork).join(' | ')} |
|---|${others.map(() => '---|').join('')}
${rows.join('\n')}
`
}

/** Mockups with placed artwork beside the default one; nothing where it was not measured. */
export function writePlacements(placements: Report['placements']): string {
  if (placements.length === 0) return ''
  const rows = placements.map(
    ({ name, on, coldMs, coldRatio, warmMs, warmRatio }) =>
      `| ${name}, ${on} | ${ms(coldMs)} | ${coldRatio.toFixed(2)} | ${ms(warmMs)} | ${warmRatio.toFixed(2)} |`,
  )
  return `
## Placements

The default mockup (q25, 2000 px), and the same with a map instead of four corners, with artwork placed in other ways.

| | cold, CPU ms | / default | warm, CPU ms | / default |
|---|---|---|---|---|
${rows.join('\n')}
`
}

/** Begins the section of the page that service/bench/start.ts writes: the last one. */
export const START_HEADING = '## The first minute'

/** docs/performance.md, without its last section. */
export function writePage(report: Report): string {
  const bars = report.bars.map(({ name, atMost, value }) => {
    const digits = value < 10 ? 3 : 0
    const holds = atMost === null ? '-' : value <= atMost ? 'yes' : 'no'
    return `| ${name} | ${atMost ?? '-'} | **${value.toFixed(digits)}** | ${holds} |`
  })
  const cases = report.cases.map(({ name, kind, artwork, stages, hash }) => {
    const megapixels = (kind.widthPx * kind.widthPx * 1.25) / 1e6
    const { inspect, decode, compose, encode, cold, warm } = stages
    const numbers = [inspect, decode, compose, encode, cold, warm].map(ms)
    return `| ${name} | ${artwork} | ${numbers.join(' | ')} | ${((1000 * megapixels) / warm).toFixed(0)} | \`${hash}\` |`
  })
  const ours = report.costs['Vitrine, cold'] ?? Number.NaN
  const costs = Object.entries(report.costs).map(
    ([name, cost]) => `| ${name} | ${ms(cost)} | ${(cost / ours).toFixed(2)} |`,
  )
  const [plain] = report.blending
  const blending = report.blending.map(
    ({ name, composeMs }) =>
      `| ${name} | ${ms(composeMs)} | ${(composeMs / (plain?.composeMs ?? Number.NaN)).toFixed(1)} |`,
  )
  const versions = Object.entries(report.versions).map(([name, version]) => `${name} ${version}`)
  return `# Performance

What a mockup costs. Written by \`npm run bench -- --write\`; do not edit by hand.

${report.machine}; ${versions.join(', ')}. CPU milliseconds, user and system, all threads; medians of ${report.rounds} interleaved rounds. One thread for everybody (\`sharp.concurrency(1)\`,
\`cv2.setNumThreads(1)\`, \`MAGICK_THREAD_LIMIT=1\`, \`VIPS_CONCURRENCY=1\`). Output is JPEG, quality 85, of the shape 4:5; the artwork a ${report.artwork}.
q25 covers 25 % of the picture with the frame. *Cold*: template prepared, artwork not. *Warm*: artwork decoded too, as in the rest of a batch. No finished mockup is cached.
*Artwork of the mockup before*: decoded, and the same as the mockup before had, as in a batch; then the
kernel's memory holds it already. Both sides of that bar are the second of
two runs in a row (*again*), in turn with one another alone; *artwork decoded* comes after all other programs and pays for the copy and for caches that are cold.

## The bars

| | at most | measured | holds |
|---|---|---|---|
${bars.join('\n')}

## The default mockup beside others

The same scene, quad, artwork and quality in the same run, 2000 x 2500 px, q25, four corners, multiplied. OpenCV: reduced with INTER_AREA to 1.25 times the frame, \`warpPerspective\` on the frame's rectangle, optimised JPEG.
ImageMagick: \`-distort Perspective\` (EWA) on the frame's rectangle, scene read as MPC. libvips: \`mapim\` with the bicubic interpolator from artwork reduced beforehand, nothing else. What starting a command costs is taken off (the rows *start*).
\`engine/bench/peers/\` has the calls.

| | CPU ms | / Vitrine cold |
|---|---|---|
${costs.join('\n')}
${writeOthers(report.others)}
## Stages

![CPU time of the stages](pictures/performance-stages.svg)

Decoding reduces the artwork to at least 1.5 times the frame's density; composing warps and blends; encoding transforms what the frame touches and splices the scene's bits. MP/s is the output's, warm, one thread. The hash is the output's: the same on every
machine.

| case | artwork | inspect | decode | compose | encode | cold | warm | MP/s | SHA-256 |
|---|---|---|---|---|---|---|---|---|---|
${cases.join('\n')}
${writePlacements(report.placements)}
## Blending modes and overlays

Composing the default mockup (q25, four corners, artwork decoded) with each kind of blending mode, and with a half clear overlay over the whole frame. All 26 are blended in the kernel: twenty modes work on each
channel by itself, by formula or by table; six (hue, saturation, color, luminosity, darker-color, lighter-color) look at all three channels. Overlays are laid over each band of rows right after its frame was drawn.

| | compose, CPU ms | / normal |
|---|---|---|
${blending.join('\n')}

Greatest memory of the bench's own process: ${report.peakMiB.toFixed(0)} MiB.

## Measuring again

| | |
|---|---|
| everything above | \`npm run bench -- --write\` |
| the first minute, below | \`npm run bench:start -- --write\` |
| the batch, memory and throughput alone, with any artwork | \`node service/bench/render-processes.ts --artwork PICTURE\` |
| the templates that ship, stage by stage | \`node engine/bench/templates.ts\` |
| photographs alone, any | \`node engine/bench/photographs.ts PICTURE...\` |
| WebP alone, made up or any | \`node engine/bench/webp.ts [PICTURE...]\` |
| hostile pictures, with our decoder and with libvips alone | \`node engine/bench/hostile.ts FOLDER\` |
| default mockups through HTTP | \`node service/bench/default-mockups.ts\` |
| the same from a T-shirt design, by our decoder and by libvips in turn | \`node service/bench/default-mockups.ts --design\` |
| encoders alone, any pictures | \`node engine/bench/encoders.ts PICTURE...\` |
| fidelity | \`npm run fidelity\` |
`
}

const stageColors = { decode: '#8fb4c9', compose: '#e0a458', encode: '#7a9e7e' } as const

/** The stages of every case as bars of the same scale: CPU milliseconds per megapixel of output. */
export function drawStages(report: Report): string {
  const rowPx = 26
  const left = 220
  const width = 900
  const rows = report.cases.map(({ name, kind, artwork, stages }) => {
    const megapixels = (kind.widthPx * kind.widthPx * 1.25) / 1e6
    const parts = (['decode', 'compose', 'encode'] as const).map(stage => [stage, stages[stage] / megapixels] as const)
    return { label: artwork === 'jpeg' ? name : `${name}, ${artwork}`, parts }
  })
  const longest = Math.max(...rows.map(({ parts }) => parts.reduce((sum, [, cost]) => sum + cost, 0)))
  const scale = (width - left - 70) / longest
  const drawn = rows.map(({ label, parts }, index) => {
    const y = 40 + index * rowPx
    let x = left
    const bars = parts.map(([stage, cost]) => {
      const bar = `<rect x="${x.toFixed(1)}" y="${y}" width="${(cost * scale).toFixed(1)}" height="18" fill="${stageColors[stage]}"/>`
      x += cost * scale
      return bar
    })
    const total = parts.reduce((sum, [, cost]) => sum + cost, 0)
    return `<text x="${left - 8}" y="${y + 13}" text-anchor="end">${label}</text>${bars.join('')}<text x="${(x + 6).toFixed(1)}" y="${y + 13}">${total.toFixed(1)}</text>`
  })
  const legend = Object.entries(stageColors).map(
    ([stage, color], index) =>
      `<rect x="${left + index * 110}" y="12" width="14" height="14" fill="${color}"/><text x="${left + 20 + index * 110}" y="23">${stage}</text>`,
  )
  const heightPx = 56 + rows.length * rowPx
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${heightPx}" font-family="sans-serif" font-size="12" fill="#333">
<rect width="${width}" height="${heightPx}" fill="#fff"/>
${legend.join('\n')}
<text x="${left + 360}" y="23">CPU ms per megapixel of output</text>
${drawn.join('\n')}
</svg>
`
}
