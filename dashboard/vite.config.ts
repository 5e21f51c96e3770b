import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Builds the pages into dashboard/dist, from where the service serves them. Everything comes from our own origin. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: 'dist', emptyOutDir: true, sourcemap: false, assetsInlineLimit: 0, target: 'es2022' },
})
