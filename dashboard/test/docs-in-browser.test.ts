import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { assertSound } from './assert-sound.ts'
import { useBrowser } from './browser-visit.ts'

const opened = useBrowser()

const twoLooks = [
  [1440, 'light'],
  [390, 'dark'],
] as const
const everyLook = [...twoLooks, [1440, 'dark'], [390, 'light']] as const

test('/docs is sound for assistive technology, its open parts too, light and dark, in the fonts of the product', async () => {
  const { service, browser } = opened()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${service.running.url}/docs`)
  await page.getByRole('button', { name: 'Auth Type' }).waitFor()
  assert.equal(await page.getAttribute('html', 'lang'), 'en')
  const font: unknown = await page.evaluate('getComputedStyle(document.querySelector("main p")).fontFamily')
  assert.match(String(font), /^"Source Sans 3/)
  for (const [width, colorScheme] of process.env['VITRINE_TEST_SIZE'] === 'full' ? everyLook : twoLooks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    await page.locator(`body.${colorScheme}-mode`).waitFor()
    await assertSound(page, `/docs, ${width} px, ${colorScheme}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Auth Type' }).click()
  await page.getByRole('listbox').waitFor()
  await assertSound(page, 'the choice of the authentication', '[role=listbox]')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Generate mockups' }).first().click()
  const trial = page.getByRole('button', { name: 'Test Request' }).first()
  await trial.waitFor()
  await page.getByRole('button', { name: '402' }).first().click()
  await assertSound(page, 'an operation')
  await trial.click()
  await page.getByRole('dialog').waitFor()
  await assertSound(page, 'the test of a request', '[role=dialog]')
})

test('/docs has the colours of the dashboard', async () => {
  const root = path.resolve(import.meta.dirname, '../..')
  const readColors = async (file: string) =>
    new Map(
      [...(await readFile(path.join(root, file), 'utf8')).matchAll(/^ {2}(--\w[\w-]*): (light-dark\(#.*);$/gm)].map(
        ([, name = '', value = '']) => [name, value] as const,
      ),
    )
  const [own, theme] = await Promise.all([readColors('service/assets/docs.css'), readColors('dashboard/src/theme.css')])
  for (const [name, value] of theme) if (own.has(name)) assert.equal(own.get(name), value, name)
  assert.ok([...theme.keys()].filter(name => own.has(name)).length >= 9)
})
