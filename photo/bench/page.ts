/** One measure of one scene with its bar. */
export type Row = {
  readonly scene: string
  readonly measure: string
  readonly value: number
  readonly unit: string
  /** at most or at least this; null: only reported */
  readonly bar: { readonly kind: 'most' | 'least'; readonly value: number } | null
  readonly holds: boolean
}

export function buildRow(scene: string, measure: string, value: number, unit: string, bar: Row['bar'] = null): Row {
  const holds = bar === null || (bar.kind === 'most' ? value <= bar.value : value >= bar.value)
  return { scene, measure, value, unit, bar, holds }
}

const digitsOf: Readonly<Record<string, number>> = { px: 2, dB: 1, dE: 2, s: 1, IoU: 4, 'of 255': 0 }

function cellsOf({ scene, measure, value, unit, bar, holds }: Row): string[] {
  const digits = digitsOf[unit] ?? 2
  const sign = bar?.kind === 'most' ? '≤' : '≥'
  const wanted = bar === null ? '–' : `${sign} ${bar.value}`
  return [
    `\`${scene}\``,
    measure,
    `${value.toFixed(digits)} ${unit}`,
    wanted,
    bar === null ? '–' : holds ? 'yes' : '**no**',
  ]
}

export function describeRows(rows: readonly Row[]): string[] {
  return rows.map(row => {
    const [scene = '', measure = '', value = '', wanted = '', holds = ''] = cellsOf(row)
    return `${scene.padEnd(26)} ${measure.padEnd(52)} ${value.padStart(12)} ${wanted.padStart(8)} ${holds}`
  })
}

/** The rows of a page by their scenes, as it has them. */
function rowsOfPage(page: string): Map<string, string[]> {
  const rows = new Map<string, string[]>()
  for (const line of page.split('\n')) {
    const [, scene] = /^\| `([^`]+)` \|/.exec(line) ?? []
    if (scene !== undefined) rows.set(scene, [...(rows.get(scene) ?? []), line])
  }
  return rows
}

/** docs/fidelity-photos.md with new rows of some scenes, in the order of `scenes`. */
export function writePage(
  former: string,
  rows: readonly Row[],
  scenes: readonly string[],
  widthPx: number,
  seeds: number,
): string {
  const lines = rowsOfPage(former)
  for (const scene of new Set(rows.map(row => row.scene))) {
    const own = rows.filter(row => row.scene === scene)
    lines.set(
      scene,
      own.map(row => `| ${cellsOf(row).join(' | ')} |`),
    )
  }
  const all = scenes.flatMap(scene => lines.get(scene) ?? [])
  const failed = all.filter(line => line.endsWith('| **no** |')).length
  const bars = failed + all.filter(line => line.endsWith('| yes |')).length
  return `# How true templates from photos are

Written by \`node photo/bench/fidelity.ts --write\`. Each scene is a template that was path-traced, so that the truth of every layer
is known. Its blank product, rendered ${widthPx} px wide (scenes named *truth*, which are no starters: 1200 px) with shot and read noise and saved as a JPEG of quality 92, is the photo. Clicks
are true points with normal errors of the deviation given ("sd"), by fixed seeds; what is said of ${seeds} seeds is the worst of them. The
template that is made of photo and clicks shows an artwork like a photo; the truth is the starter's own mockup of it. PSNR and mean
CIEDE2000 (dE) are of the frame and 6 px around it; of dyes, of the whole product. *uv* is how far a point of the artwork lies from where it
should; *shape* the same after the best shift and scale: where exactly a print sits nobody can see. The tone curve is found from the photo.

What this does not say: photo and truth share one image formula and one tone curve, no lens distortion and, but for the
scenes named *phone*, no sharpening. Of those, photo and truth have a tone curve of more contrast and an unsharp mask: the truth
sharpens the artwork too, which no template does. Scenes named *phone* or *truth* are reported without bars, but for clear artwork. Some
parameters were chosen on these same scenes; the tumbler, the mug from above and the T-shirt on a form were not looked at for it. Rows named *brushed* take the outline of a product, for its dye and the inset of a cushion, from
strokes that waver about the true edge by 2.5 px of 512, by seed 1; the others take the scene's own. *IoU* is the area that both outlines
have over the area that either has.

${failed === 0 ? `All ${bars} bars hold.` : `${failed} of ${bars} bars do not hold.`}

| scene | measure | value | bar | holds |
|---|---|---|---|---|
${all.join('\n')}
`
}
