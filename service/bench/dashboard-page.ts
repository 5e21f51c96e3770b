/** A page of the dashboard in a browser, for what is measured or taken a picture of. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { type SpawnedService, spawnService } from './spawned-service.ts'

/** A service with the starter pack, or with a copy of the data of one that is stopped. */
export async function serveDashboard(data?: string): Promise<SpawnedService> {
  if (data === undefined) return spawnService()
  const copy = await mkdtemp(path.join(os.tmpdir(), 'vitrine-service-'))
  await cp(data, copy, { recursive: true })
  return spawnService({}, copy)
}

/** A window with the first page, signed in as the owner. */
export async function openDashboard(
  browser: Browser,
  service: SpawnedService,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const { url } = await service.command('account', 'sign-in-link', '--email', 'owner@vitrine.local')
  await page.goto(String(url))
  await page.getByRole('heading', { level: 1, name: /first mockup|Overview/ }).waitFor()
  return page
}

/** A JPEG of 12 megapixels with noise everywhere, as a file that a person chooses. */
export async function largeJpeg(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 12 }
  const buffer = await sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#808080', noise } })
    .jpeg({ quality: 85 })
    .toBuffer()
  return { name: 'large.jpg', mimeType: 'image/jpeg', buffer }
}

/**
 * The same as a file in a folder that goes with what is returned: bytes would pass through the page's memory.
 */
export async function largeJpegFile(): Promise<{ readonly path: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-artwork-'))
  const file = path.join(folder, 'large.jpg')
  await writeFile(file, (await largeJpeg()).buffer)
  return { path: file, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

/** Times in milliseconds, in words. */
export function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1)
  return `median ${at(0.5)} ms, 95 % within ${at(0.95)} ms, all within ${at(1)} ms`
}
