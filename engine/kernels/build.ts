import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import {
  type KernelName,
  kernelNames,
  type RelaxedKernelName,
  relaxedKernelNames,
} from '../src/webassembly/kernel-modules.ts'
import { blendMacros } from './blend-macros.ts'
import { expandMacros } from './expand-macros.ts'

/** What tests watch decoders with, and a WebP’s planes before they are pixels. */
const testModuleNames = ['probes', 'webp-planes'] as const

type ModuleName = KernelName | RelaxedKernelName | (typeof testModuleNames)[number]

/** All modules that are committed. */
export const moduleNames: readonly ModuleName[] = [
  ...kernelNames,
  ...relaxedKernelNames.map(name => `${name}-relaxed` as const),
  ...testModuleNames,
]

const relaxedEnding = '-relaxed'
const FLAGS =
  '-O3 --converge --noAssert --uncheckedBehavior always --runtime stub --enable simd --initialMemory 1 --outFile out.wasm'

/** Where a compiled module is committed: those of tests are in no package. */
export function kernelFile(name: ModuleName): string {
  const folder = testModuleNames.some(known => known === name) ? '../fuzz' : '.'
  return fileURLToPath(new URL(`${folder}/${name}.wasm`, import.meta.url))
}

type CompilerResult = { readonly error: Error | null; readonly stderr: { toString(): string } }

// The compiler's declarations pull in its whole source under looser settings than ours, hence this narrow
// view of it.
function isCompiler(
  value: unknown,
): value is (
  args: string[],
  files: { readFile(name: string): string | null; writeFile(name: string, contents: Uint8Array | string): void },
) => Promise<CompilerResult> {
  return typeof value === 'function'
}

/** Every file of the assembly folder by its path in there, so that a kernel may import parts. */
async function readSources(): Promise<ReadonlyMap<string, string>> {
  const folder = new URL('./assembly/', import.meta.url)
  const files = (await readdir(folder, { recursive: true })).filter(file => file.endsWith('.ts'))
  return new Map(
    await Promise.all(
      files.map(
        async file => [file, expandMacros(await readFile(new URL(file, folder), 'utf8'), blendMacros)] as const,
      ),
    ),
  )
}

/**
 * Compiles `assembly/<name>.ts` with the pinned compiler; `<name>-relaxed` is the same source with relaxed
 * vector instructions. The same source always gives the same bytes.
 * `noAssert` and unchecked access cost no safety: a module can only reach its own memory, and sizes are
 * checked before a call.
 */
export async function compileKernel(name: ModuleName): Promise<Uint8Array<ArrayBuffer>> {
  const compilerPackage: string = 'assemblyscript/asc'
  const { main }: { main?: unknown } = await import(compilerPackage)
  if (!isCompiler(main)) throw new Error('The compiler has no main function')
  const sources = await readSources()
  let compiled: Uint8Array<ArrayBuffer> | null = null
  const isRelaxed = name.endsWith(relaxedEnding)
  const source = isRelaxed ? name.slice(0, -relaxedEnding.length) : name
  const extensions = isRelaxed ? ['--enable', 'relaxed-simd'] : []
  const result = await main([`${source}.ts`, ...FLAGS.split(' '), ...extensions], {
    readFile: file => sources.get(file) ?? null,
    writeFile: (_file, contents) => {
      if (typeof contents !== 'string') compiled = Uint8Array.from(contents)
    },
  })
  if (result.error || compiled === null) throw new Error(`${name} does not compile:\n${result.stderr.toString()}`)
  return compiled
}

/** Digests of what the committed modules were compiled of, and of the modules. */
export type CompiledDigests = { readonly sources: string; readonly modules: Readonly<Record<string, string>> }

/** Where `CompiledDigests` of the last compilation are committed. */
export const digestsFile = new URL('./compiled-digests.json', import.meta.url)

const digestOf = (...parts: readonly (string | Uint8Array)[]): string =>
  parts.reduce<ReturnType<typeof createHash>>((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

/** The digests as the files are now: of every assembly source, the compiler's version and its flags. */
export async function findDigests(): Promise<CompiledDigests> {
  const compiler = createRequire(import.meta.url).resolve('assemblyscript/package.json')
  const { version }: { version?: unknown } = JSON.parse(await readFile(compiler, 'utf8'))
  // Comments change no module.
  const withoutComments = (text: string): string => text.replaceAll(/\/\*[^]*?\*\/|\/\/.*|\s+/g, ' ')
  const sources = [...(await readSources())]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flat()
    .map(withoutComments)
  const modules = await Promise.all(
    moduleNames.map(async name => [name, digestOf(await readFile(kernelFile(name)))] as const),
  )
  return { sources: digestOf(String(version), FLAGS, ...sources), modules: Object.fromEntries(modules) }
}

if (import.meta.main) {
  const chosen = argv.slice(2)
  for (const name of moduleNames) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    const bytes = await compileKernel(name)
    await writeFile(kernelFile(name), bytes)
    console.log(`${name}.wasm ${bytes.length} bytes`)
  }
  // A choice of modules leaves the others as they were compiled: the digests are of all of them.
  if (chosen.length === 0) await writeFile(digestsFile, `${JSON.stringify(await findDigests(), null, 2)}\n`)
}
