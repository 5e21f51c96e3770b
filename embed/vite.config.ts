import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'

const folder = path.join(import.meta.dirname, 'dist')

const kernelSuffixes = ['.wasm?text', '.bin?text'] as const

/**
 * Kernels as text in the program, one character for each byte: compressed they are a third smaller than as
 * base64, whose letters hide that bytes are alike.
 */
function kernelsAsText(): Plugin {
  return {
    name: 'kernels-as-text',
    enforce: 'pre',
    async load(id) {
      if (!kernelSuffixes.some(suffix => id.endsWith(suffix))) return null
      const bytes = await readFile(id.slice(0, id.lastIndexOf('?')))
      return { code: `export default ${JSON.stringify(bytes.toString('latin1'))}`, moduleType: 'js' }
    },
  }
}

/**
 * Three programs in embed/dist: the element, which a page loads at once; with `--mode drawing` what draws,
 * which is loaded when an element comes into sight; with `--mode press` what CMYK needs. Each is one file.
 */
export default defineConfig(({ mode }) => {
  const name = mode === 'drawing' || mode === 'press' ? mode : 'vitrine-mockup'
  return {
    root: import.meta.dirname,
    plugins: [kernelsAsText()],
    build: {
      outDir: folder,
      emptyOutDir: name === 'vitrine-mockup',
      sourcemap: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: path.join(import.meta.dirname, `src/${name}.ts`),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: `${name}.js` },
      },
    },
  }
})
