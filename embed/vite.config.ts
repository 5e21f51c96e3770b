import path from 'node:path'
import { defineConfig } from 'vite'

const folder = path.join(import.meta.dirname, 'dist')

/**
 * Two programs in embed/dist: the element, which a page loads at once, and with `--mode drawing` what draws,
 * which is loaded when an element comes into sight. Each is one file that needs no other.
 */
export default defineConfig(({ mode }) => {
  const name = mode === 'drawing' ? 'drawing' : 'vitrine-mockup'
  return {
    root: import.meta.dirname,
    build: {
      outDir: folder,
      emptyOutDir: mode !== 'drawing',
      sourcemap: false,
      target: 'es2022',
      modulePreload: false,
      // The kernels are in the program: one file, from whatever address.
      assetsInlineLimit: Number.POSITIVE_INFINITY,
      rolldownOptions: {
        input: path.join(import.meta.dirname, `src/${name}.ts`),
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: `${name}.js` },
      },
    },
  }
})
