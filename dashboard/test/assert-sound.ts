import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { z } from 'zod'

const axeSource = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const violations = z.array(
  z.looseObject({ id: z.string(), impact: z.string().nullable(), nodes: z.array(z.looseObject({ html: z.string() })) }),
)

// Colours in the middle of a transition are nobody's choice. What repeats for ever is not waited for.
const ANIMATIONS_ENDED = `Promise.all(
  document.getAnimations()
    .filter(each => Number.isFinite(each.effect?.getComputedTiming().endTime))
    .map(each => each.finished.catch(() => undefined)),
).then(() => undefined)`

// Without the rules whose faults are never serious: they take a third of the time.
const OPTIONS = `{
  resultTypes: ['violations'],
  preload: false,
  rules: Object.fromEntries(
    axe._audit.rules.filter(({ impact }) => /minor|moderate/.test(impact)).map(({ id }) => [id, { enabled: false }]),
  ),
}`

/**
 * Fails where a page, its animations ended, has a serious fault, or is wider than its window. `part`: the
 * selector of what has changed since the rest was found sound.
 */
export async function assertSound(page: Page, where: string, part = ':root'): Promise<void> {
  await page.evaluate(ANIMATIONS_ENDED)
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(await readFile(axeSource, 'utf8'))
  const found = violations.parse(
    await page.evaluate(`axe.run('${part}', ${OPTIONS}).then(({ violations }) => violations)`),
  )
  const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`),
    [],
    where,
  )
  const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  assert.equal(overflow, 0, `${where}: wider than the window`)
}

type Look = readonly [widthPx: number, colorScheme: 'light' | 'dark']

const looks: readonly [Look, Look] = [
  [390, 'light'],
  [1440, 'dark'],
]

/**
 * Looks at the page as people have it: wide and narrow, dark and light. Ordinary runs look at the narrow page
 * in one of the themes. The width is restored. `VITRINE_LOOKS` names a folder for pictures.
 */
export async function lookAt(page: Page, where: string): Promise<void> {
  const folder = process.env['VITRINE_LOOKS']
  const before = page.viewportSize()
  const theme = where.length % 2 === 0 ? 'dark' : 'light'
  const isWhole = process.env['VITRINE_TEST_SIZE'] === 'full' || folder !== undefined
  for (const [width, colorScheme] of isWhole ? looks : [[390, theme] as const]) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await assertSound(page, `${where}, ${width} px, ${colorScheme}`)
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${where}-${width}.png`, fullPage: true })
  }
  if (before !== null) await page.setViewportSize(before)
}
