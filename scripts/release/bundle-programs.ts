/**
 * Compiles the service into JavaScript together with the packages that it uses: Node runs no TypeScript of
 * installed packages, and of most packages the service needs a small part.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/** Built for each platform, so npm has to install it. */
export const PLATFORM_PACKAGE = 'sharp'

/** Optional parts of packages, which are not installed here either. */
const absentPackages = ['pg-native', 'pg-cloudflare', 'cloudflare:sockets']

/** The folder of the code that several programs share. */
const SHARED_CODE_FOLDER = 'compiled'

/** The name of a source that is not imported: it would not be there in a release. */
const sourceName = /(?<!\b(?:from|import) |\bimport\()'((?:\.\/)?[\w/-]+\.ts)'/g

/** The variable of an output file that holds the installed folder, as a URL. */
const ROOT_URL = 'installedFolder'

/**
 * Writes programs below a folder, each where its source lies in the repository.
 *
 * A module finds other files from the place of its source (`import.meta`). In the output that is the same
 * place below the installed folder, whichever file holds the module.
 *
 * @param programs sources that run as programs of their own, relative to `root`
 */
export async function bundlePrograms(root: string, programs: readonly string[], outFolder: string): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(programs.map(file => [withoutExtension(file), path.join(root, file)])),
    platform: 'node',
    external: id => id === PLATFORM_PACKAGE || absentPackages.includes(id),
    plugins: [locateModules(root, programs)],
    onLog: (level, log) => {
      if (level === 'warn' && log.id?.includes('node_modules') !== true) throw new Error(log.message)
    },
  })
  await bundle.write({
    dir: outFolder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: `${SHARED_CODE_FOLDER}/[name]-[hash].js`,
    banner: chunk => {
      const up = '../'.repeat(chunk.fileName.split('/').length - 1)
      return `const ${ROOT_URL} = new URL('${up}', import.meta.url)`
    },
  })
  await bundle.close()
}

function locateModules(root: string, programs: readonly string[]): Plugin {
  return {
    name: 'locate-modules',
    transform(code, id) {
      if (id.includes('node_modules') || !code.includes('import.meta')) return null
      const file = path.relative(root, id).split(path.sep).join('/')
      const folder = path.posix.dirname(file)
      const located = code
        .replaceAll(
          'import.meta.dirname',
          `process.getBuiltinModule('url').fileURLToPath(new URL('${folder}', ${ROOT_URL}))`,
        )
        .replaceAll('import.meta.url', `new URL('${file}', ${ROOT_URL})`)
      // A program is started by the name of its file.
      const named = programs.reduce((text, program) => {
        const name = path.posix.relative(folder, program)
        const literal = new RegExp(`'((?:\\./)?${withoutExtension(name)})\\.ts'`, 'g')
        return text.replaceAll(literal, "'$1.js'")
      }, located)
      for (const [, name = ''] of named.matchAll(sourceName)) {
        if (existsSync(path.join(path.dirname(id), name)))
          throw new Error(`${file} names ${name}, which is not among the programs of the release`)
      }
      return named
    },
  }
}

function withoutExtension(file: string): string {
  return file.slice(0, -path.extname(file).length)
}
