import { type FidelityReport, judge, readMissing, writeHead, writePage } from './page.ts'

const TABLE_HEAD = '| case | |'
const VERSIONS_END = 'with any of these settings (`engine/test/fidelity/peers/`):'

/** The page with the rows and crops of the report's cases instead of those that it has; all else stays. */
export function renewPage(page: string, report: FidelityReport): string {
  const names = new Set(report.rows.map(({ measured }) => measured.name))
  const old = splitPage(page)
  const fresh = splitPage(writePage(report))
  const renewed = new Map(fresh.body.flatMap(({ key, line }) => (isOf(names, key) ? [[key, line] as const] : [])))
  const versions = fresh.body.find(({ line }) => line.endsWith(VERSIONS_END))?.line
  const found = new Set<string>()
  const body = old.body.map(({ key, line }) => {
    if (line.endsWith(VERSIONS_END)) return versions ?? line
    const other = renewed.get(key)
    if (other === undefined) return line
    found.add(key)
    return other
  })
  const lost = [...renewed.keys()].filter(key => !found.has(key))
  if (lost.length > 0) throw new Error(`Expected a page with ${lost.join('; ')}.`)
  const kept = old.head.split('\n').filter(line => line.startsWith('- ') && !isOf(names, keyOfFailure(line)))
  const failures = [...kept.map(line => line.slice(2)), ...judge(report)]
  const missing = new Set([...readMissing(old.head).filter(program => hasGaps(body, program)), ...report.missing])
  return writeHead(failures, [...missing]) + body.join('\n')
}

/** Whether a program's columns lack a figure. */
function hasGaps(lines: readonly string[], program: string): boolean {
  let column = -1
  return lines.some(line => {
    const cells = line.split(' | ')
    if (line.includes('**Vitrine**')) column = cells.findIndex(cell => cell.startsWith(program))
    else if (!line.startsWith('| ')) column = -1
    return column >= 0 && /^-( \|)?$/.test(cells[column] ?? '')
  })
}

/** The name of the case that a failure begins with. */
function keyOfFailure(line: string): string {
  return ` / ${line.slice(2).split(/[ ,]/, 1)[0] ?? ''}`
}

/** Keys end with the name of the case. */
function isOf(names: ReadonlySet<string>, key: string): boolean {
  return names.has(key.split(' / ').at(-1) ?? '')
}

/** A line, and what it says of which case; no key where it is of none. */
type KeyedLine = { readonly key: string; readonly line: string }

function splitPage(page: string): { readonly head: string; readonly body: readonly KeyedLine[] } {
  const start = page.indexOf(TABLE_HEAD)
  if (start < 0) throw new Error('Expected a page with a table of its cases.')
  let section = ''
  const body = page
    .slice(start)
    .split('\n')
    .map(line => {
      if (line.startsWith('#')) section = line
      return { key: findKey(section, line), line }
    })
  return { head: page.slice(0, start), body }
}

function findKey(section: string, line: string): string {
  const caption = /^\*\*([a-z-]+)\*\*: /.exec(line)
  if (caption) return `crop / ${caption[1]}`
  if (!line.startsWith('| ')) return ''
  const [first = '', second = ''] = line.slice(2).split(' | ')
  return `${section} / ${first === 'frame' ? second : first}`
}
