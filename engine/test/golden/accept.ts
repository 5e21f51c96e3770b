/**
 * Accepts what one golden case renders now as what it shall render: `node engine/test/golden/accept.ts CASE`.
 * Look at the picture before you commit it. One case at a time on purpose: accepting all at once would accept
 * a fault in all.
 */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { goldenDir, listGoldenCases, renderGoldenCase } from './golden-cases.ts'
import { writePng } from './write-png.ts'

const [name] = process.argv.slice(2)
const cases = await listGoldenCases()
if (name === undefined || !cases.includes(name)) {
  console.error(`Expected the name of one case but received ${name}. There are: ${cases.join(', ')}`)
  process.exitCode = 1
} else {
  const file = path.join(goldenDir, name, 'expected.png')
  await writeFile(file, await writePng(await renderGoldenCase(name)))
  console.log(file)
}
