/** The packages that users of a release get, with their licences: a file of the release. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readLock, root } from './repository.ts'

/**
 * What npm marks as for development, and users have all the same: compiled into files that we ship, or
 * brought by an optional package too.
 */
const shippedToo = ['assemblyscript', 'tslib']

type Package = {
  readonly name: string
  readonly version: string
  readonly license: string
  /** The licence's text; null for a package of one platform, which need not be installed here. */
  readonly text: string | null
}

/** Markdown, of the lock file: it does not depend on the machine. */
export function buildNotices(): string {
  const packages = listPackages()
  const rows = packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`)
  const byText = new Map<string, Package[]>()
  for (const each of packages) {
    if (each.text === null) continue
    byText.set(each.text, [...(byText.get(each.text) ?? []), each])
  }
  const texts = [...byText].map(
    ([text, of]) => `### ${of.map(({ name }) => name).join(', ')}\n\n\`\`\`\n${text}\n\`\`\`\n`,
  )
  return [
    '# Third-party notices',
    '',
    'Vitrine is under the MIT licence (LICENSE). It runs on these packages, each under its own licence. The packages',
    '`@img/sharp-libvips-*` hold libvips and the libraries below it, as separate files under the LGPL-3.0-or-later and other licences that their',
    'README lists; they can be replaced by other builds. `node-*` are Node.js itself, with its licences in their own LICENSE files.',
    '',
    '| package | version | licence |',
    '|---|---|---|',
    ...rows,
    '',
    '## Texts',
    '',
    'Of the packages that are the same on every platform.',
    '',
    ...texts,
  ].join('\n')
}

function listPackages(): Package[] {
  const found = new Map<string, Package>()
  for (const [location, entry] of Object.entries(readLock())) {
    const name = location.slice(location.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const isOurs = !location.includes('node_modules/') || entry.link === true
    const isForDevelopment = entry.dev === true || entry.devOptional === true
    if (isOurs || (isForDevelopment && !shippedToo.includes(name))) continue
    const isOfOnePlatform = entry['os'] !== undefined || entry['cpu'] !== undefined
    const { version, license = 'see its text' } = entry
    if (version === undefined) throw new Error(`no version of ${name}`)
    const text = isOfOnePlatform ? null : readLicense(path.join(root, location))
    found.set(`${name} ${version}`, { name, version, license, text })
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each)
}

function readLicense(folder: string): string | null {
  if (!existsSync(folder)) return null
  const name = readdirSync(folder)
    .sort()
    .find(file => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(file))
  if (name === undefined) return null
  return readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n').replaceAll('```', "'''").trim()
}
