import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Writes `.br` and `.gz` beside each text file of the build. The service sends those. */
function compressed(): Plugin {
  const assets = path.join(import.meta.dirname, 'dist/assets')
  return {
    name: 'compressed',
    apply: 'build',
    // Not closeBundle, which would hide the error that a build ended with.
    async writeBundle() {
      const names = (await readdir(assets)).filter(name => /\.(js|css|wasm)$/.test(name))
      await Promise.all(
        names.map(async name => {
          const bytes = await readFile(path.join(assets, name))
          const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
          await writeFile(path.join(assets, `${name}.br`), await promisify(brotliCompress)(bytes, { params }))
          await writeFile(path.join(assets, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }))
        }),
      )
    },
  }
}

/** Builds the pages into dashboard/dist, which the service serves. They load nothing from other origins. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed()],
  resolve: { alias: [{ find: /^zod$/, replacement: path.join(import.meta.dirname, 'src/zod.ts') }] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    target: 'es2022',
    rolldownOptions: {
      // The dashboard, and what a link to a proof opens.
      input: ['index.html', 'proof.html'].map(name => path.join(import.meta.dirname, name)),
    },
  },
})
