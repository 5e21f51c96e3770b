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

type Column = { readonly head: string; readonly measure: RegExp; readonly unit: string }
type Table = { readonly title: string; readonly of: string; readonly columns: readonly Column[] }

const column = (head: string, measure: RegExp, unit: string): Column => ({ head, measure, unit })

/** A measure is of the tables that have a column for it; what its name says before that is `of`. */
const tables: readonly Table[] = [
  {
    title: 'Where artwork lies',
    of: 'clicks',
    columns: [
      column('uv mean, px', /uv mean$/, 'px'),
      column('uv p95', /(raw )?uv p95(, mean of \d+ seeds)?$/, 'px'),
      column('shape p95', /shape p95, mean of \d+ seeds$/, 'px'),
      column('shape p95, worst', /shape p95, worst of \d+ seeds$/, 'px'),
    ],
  },
  {
    title: 'Mockups',
    of: 'drawing',
    columns: [
      column('PSNR, dB', /mockup$/, 'dB'),
      column('dE', /mockup$/, 'dE'),
      column('light alone, dB', /light alone, with the true map$/, 'dB'),
      column('clear artwork, of 255', /clear artwork against the photo, most$/, 'of 255'),
      column('processor time, s', /processor time of the bundle, \d+ px$/, 's'),
    ],
  },
  {
    title: 'Outlines by a brush',
    of: '',
    columns: [
      column('IoU, worst', /brush: overlap of outlines, worst of \d+ seeds$/, 'IoU'),
      column('mean', /brush: overlap of outlines, mean$/, 'IoU'),
      column('first outline, s', /brush: processor time of the first outline$/, 's'),
      column('next, s', /brush: processor time of the next ones$/, 's'),
    ],
  },
  {
    title: 'Dyes',
    of: 'outline',
    columns: [
      column('navy: dB', /dyed navy$/, 'dB'),
      column('dE', /dyed navy$/, 'dE'),
      column('forest: dB', /dyed forest$/, 'dB'),
      column('dE', /dyed forest$/, 'dE'),
    ],
  },
]

/** A measured value with its bar; bold where it does not hold. */
function showValue({ value, unit, bar, holds }: Row): string {
  const shown = value.toFixed(digitsOf[unit] ?? 2)
  const wanted = bar === null ? '' : ` (${bar.kind === 'most' ? '≤' : '≥'}${bar.value})`
  return `${holds ? shown : `**${shown}**`}${wanted}`
}

/** The lines of a table for one scene: one for each drawing of it. */
function linesOf({ of, columns }: Table, scene: string, rows: readonly Row[]): string[] {
  const lines = new Map<string, string[]>()
  for (const row of rows) {
    const index = columns.findIndex(({ measure, unit }) => unit === row.unit && measure.test(row.measure))
    const { measure } = columns[index] ?? {}
    if (measure === undefined) continue
    const drawing = row.measure.replace(measure, '').replace(/[:,] $/, '')
    const cells = lines.get(drawing) ?? columns.map(() => '')
    cells[index] = showValue(row)
    lines.set(drawing, cells)
  }
  return [...lines].map(
    ([drawing, cells]) => `| \`${scene}\` | ${[...(of === '' ? [] : [drawing]), ...cells].join(' | ')} |`,
  )
}

/** The lines of a table of a page by their scenes, as it has them. */
function readLines(page: string, { title }: Table): Map<string, string[]> {
  const lines = new Map<string, string[]>()
  const [, section = ''] = page.split(`## ${title}\n`)
  for (const line of (section.split('\n## ')[0] ?? '').split('\n')) {
    const [, scene] = /^\| `([^`]+)` \|/.exec(line) ?? []
    if (scene !== undefined) lines.set(scene, [...(lines.get(scene) ?? []), line])
  }
  return lines
}

function writeTable(table: Table, former: string, rows: readonly Row[], scenes: readonly string[]): string {
  const lines = readLines(former, table)
  for (const scene of new Set(rows.map(row => row.scene))) {
    lines.set(
      scene,
      linesOf(
        table,
        scene,
        rows.filter(row => row.scene === scene),
      ),
    )
  }
  const heads = ['scene', ...(table.of === '' ? [] : [table.of]), ...table.columns.map(({ head }) => head)]
  const all = scenes.flatMap(scene => lines.get(scene) ?? [])
  return [`## ${table.title}`, '', `| ${heads.join(' | ')} |`, `|${heads.map(() => '---|').join('')}`, ...all].join(
    '\n',
  )
}

/** docs/fidelity-photos.md with new lines of some scenes, in the order of `scenes`. */
export function writePage(
  former: string,
  rows: readonly Row[],
  scenes: readonly string[],
  widthPx: number,
  seeds: number,
): string {
  const written = tables.map(table => writeTable(table, former, rows, scenes)).join('\n\n')
  const bars = [...written.matchAll(/\([≤≥][\d.]+\)/g)].length
  const failed = [...written.matchAll(/\*\* \([≤≥]/g)].length
  return `# How true templates from photos are

Written by \`node photo/bench/fidelity.ts --write\`. Each scene was path-traced, so the truth of every layer is known. The photo is its blank product, ${widthPx} px wide (scenes named *truth*, which are no starters: 1200 px), with noise, as a JPEG of quality 92. Clicks are true points with normal errors of the deviation given (sd), by fixed seeds; *worst* is of ${seeds} seeds, other figures of marks on bodies are means of 10. The mockup of the template that is made of photo and clicks is compared with the starter's own.

PSNR and mean CIEDE2000 (dE) are of the frame and 6 px around it; of dyes, of the whole product. *uv* is how far a point of the artwork lies from where it should, *shape* the same after the best shift and scale. *Light alone* has the scene's own map. *Clear artwork* must give the photo back. *Brushed* takes the product's outline from strokes that waver about the true edge by 2.5 px of 512; other rows take the scene's own. *IoU* is the area that both outlines have over the area that either has, by ten seeds. Bars are in brackets.

What this does not say: photo and truth share one image formula and one tone curve, and have no lens distortion. Scenes named *phone* have more contrast and an unsharp mask, which sharpens the artwork in the truth too, as no template does. They and scenes named *truth* have no bars but for clear artwork. Some parameters were chosen on these scenes, those of outlines on the tumbler too; none on the mug from above and the T-shirt on a form.

${failed === 0 ? `All ${bars} bars hold.` : `${failed} of ${bars} bars do not hold; their figures are bold.`}

${written}
`
}
