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

/** The default mockup beside others, by artwork; what commands' starts cost is taken off already. */
function writeCosts({ costs, others }: Report): string {
  const tasks = new Set([costs, ...others.map(other => other.costs)].flatMap(Object.keys))
  const rows = [...tasks]
    .filter(task => !task.startsWith('start '))
    .map(task => {
      const cells = [costs, ...others.map(other => other.costs)].map(of => ms(of[task] ?? Number.NaN))
      return `| ${task} | ${cells.join(' | ')} |`
    })
  const heads = ['JPEG', ...others.map(({ artwork }) => artwork)]
  return `| CPU ms | ${heads.join(' | ')} |\n|---|${heads.map(() => '---|').join('')}\n${rows.join('\n')}`
}

/** Mockups with placed artwork beside the default one; nothing where it was not measured. */
export function writePlacements(placements: Report['placements']): string {
  if (placements.length === 0) return ''
  const rows = placements.map(
    ({ name, on, coldMs, coldRatio, warmMs }) =>
      `| ${name}, ${on} | ${ms(coldMs)} | ${coldRatio.toFixed(2)} | ${ms(warmMs)} |`,
  )
  return `
## Placements

The default mockup (q25, 2000 px) by four corners and by a map, with artwork placed in other ways.

| | cold, CPU ms | / default | warm |
|---|---|---|---|
${rows.join('\n')}
`
}

/** Begins the section of the page that service/bench/start.ts writes: the last one. */
export const START_HEADING = '## The first minute'

/** docs/performance.md, without its last section. */
export function writePage(report: Report): string {
  const bars = report.bars.map(({ name, atMost, value }) => {
    const digits = value < 10 ? 3 : 0
    const shown = value.toFixed(digits)
    return `| ${name} | ${atMost ?? '-'} | ${atMost !== null && value > atMost ? `**${shown}**` : shown} |`
  })
  const cases = report.cases.map(({ name, artwork, stages, hash }) => {
    const { decode, compose, encode, cold, warm } = stages
    const numbers = [decode, compose, encode, cold, warm].map(ms)
    return `| ${artwork === 'jpeg' ? name : `${name}, ${artwork}`} | ${numbers.join(' | ')} | \`${hash}\` |`
  })
  const blending = report.blending.map(({ name, composeMs }) => `| ${name} | ${ms(composeMs)} |`)
  const versions = Object.entries(report.versions).map(([name, version]) => `${name} ${version}`)
  return `# Performance

What a mockup costs. Written by \`npm run bench -- --write\`; do not edit by hand.

${report.machine}; ${versions.join(', ')}. CPU milliseconds of all threads, medians of ${report.rounds} interleaved rounds, one thread for everybody. Output is JPEG, quality 85, of the shape 4:5; the artwork a ${report.artwork}. q25 covers 25 % of the picture with the frame. *Cold*: template prepared, artwork not. *Warm*: artwork decoded too. No finished mockup is cached. *Artwork of the mockup before*: the kernel's memory holds it already, as in a batch; it and *again* are second runs in turn with one another alone.

## The bars

Photographs: a cold mockup / libvips's decoding and libjpeg-turbo's encoding. PNG: decoding to density / libvips's decoding and reduction. WebP: decoding to 1/3.2 / libvips's decoding and Lanczos. What misses its bar is bold.

| | at most | measured |
|---|---|---|
${bars.join('\n')}

## The default mockup beside others

The same scene, quad, artwork and quality in the same run, 2000 x 2500 px, q25, four corners, multiplied (\`engine/bench/peers/\`). OpenCV: reduced with INTER_AREA to 1.25 times the frame, \`warpPerspective\` on the frame's rectangle, optimised JPEG. ImageMagick: \`-distort Perspective\` (EWA) on the frame's rectangle. libvips: \`mapim\`, bicubic, from artwork reduced beforehand. What starting a command costs is taken off. PNGs are artwork as print shops get it, stretched over the frame by the others.

${writeCosts(report)}

## Stages

![CPU time of the stages](pictures/performance-stages.svg)

The hash is the output's: the same on every machine.

| case | decode | compose | encode | cold | warm | SHA-256 |
|---|---|---|---|---|---|---|
${cases.join('\n')}
${writePlacements(report.placements)}
## Blending modes and overlays

Composing the default mockup, artwork decoded, with a mode of each kind, and under a half clear overlay.

| | compose, CPU ms |
|---|---|
${blending.join('\n')}

## Measuring again

\`npm run bench -- --write\` measures everything above, \`npm run bench:start -- --write\` the first minute. Parts alone: \`node service/bench/render-processes.ts --artwork PICTURE\` (batch, memory, throughput), \`node service/bench/default-mockups.ts\` (through HTTP), and in \`engine/bench/\` \`templates.ts\`, \`photographs.ts\`, \`webp.ts\` and \`decoding.ts\`.
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
