import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import chromiumPackage, { inflate } from '@sparticuz/chromium'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { z } from 'zod'

/** Beside a busy machine pages take long. */
const WAIT_MS = 120_000

type Program = { readonly executablePath: string; readonly env: Record<string, string> }

/**
 * Starts a real Chromium, from the npm packages `@sparticuz/chromium` and `playwright-core` or at
 * CHROMIUM_PATH. Needs neither fonts nor NSS on the machine. Create pages with `newContext({ locale: 'en-US'
 * })`: under LANG=C the browser's locale is "en-US@posix", which Intl rejects.
 */
export async function launchChromium(options: LaunchOptions = {}): Promise<Browser> {
  const given = process.env['CHROMIUM_PATH']
  if (!given && `${process.platform}-${process.arch}` !== 'linux-x64') {
    throw new Error(
      'NO CHROMIUM: npm has one for Linux x64 alone; these tests need a program of your own in CHROMIUM_PATH.',
    )
  }
  const { executablePath, env } = given ? { executablePath: given, env: {} } : await unpackChromium()
  const inherited = Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: false,
    timeout: WAIT_MS,
    // Without the package's own arguments, which disable web security and use a single process. An emulated
    // GPU costs more than painting without one.
    args: ['--disable-gpu'],
    env: { ...Object.fromEntries(inherited), ...env },
    ...options,
  })
  browser.on('context', context => context.setDefaultTimeout(WAIT_MS))
  return browser
}

/** Unpacks 209 MB into node_modules/.cache once (about 1.5 s). */
async function unpackChromium(): Promise<Program> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const packageFolder = findPackageFolder(entry)
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(path.join(packageFolder, 'package.json'), 'utf8')))
  const folder = path.resolve(import.meta.dirname, '../../../node_modules/.cache/chromium', version)
  if (!existsSync(folder)) await unpackInto(folder, packageFolder)
  const libraries = path.join(folder, 'al2023/lib')
  const fonts = path.join(folder, 'fonts.conf')
  return {
    executablePath: path.join(folder, 'chromium'),
    env: {
      ...(existsSync(libraries) ? { LD_LIBRARY_PATH: libraries } : {}),
      ...(existsSync(fonts) ? { FONTCONFIG_FILE: fonts } : {}),
    },
  }
}

/** Test files run in parallel: each unpacks to its own folder, and the first complete one is used. */
async function unpackInto(folder: string, packageFolder: string): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 })
  const unpacked = mkdtempSync(`${folder}-`)
  const executable = await withTemporaryFolder(unpacked, () => chromiumPackage.executablePath())
  if (/not found/.test(spawnSync('ldd', [executable], { encoding: 'utf8' }).stdout ?? ''))
    await withTemporaryFolder(unpacked, () => inflate(path.join(packageFolder, 'bin/al2023.tar.br')))
  if (!existsSync('/usr/share/fonts')) {
    const folders = `<dir>${folder}/fonts</dir><cachedir>${folder}/fontconfig</cachedir>`
    writeFileSync(
      path.join(unpacked, 'fonts.conf'),
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${folders}</fontconfig>`,
    )
  }
  try {
    renameSync(unpacked, folder)
  } catch (error) {
    rmSync(unpacked, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
}

/**
 * The package unpacks to the temporary folder and reuses any copy there, of any version, so it gets a folder
 * of its own.
 */
async function withTemporaryFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    return await work()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

function findPackageFolder(file: string): string {
  const folder = path.dirname(file)
  return existsSync(path.join(folder, 'bin/chromium.br')) ? folder : findPackageFolder(folder)
}
