import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Keep } from './measure-case.ts'

/**
 * Keeps truth (by the case's name and the scene's width) and artwork (by its size) in files of a folder: they
 * take most of a run's time, and only change with the cases, the artwork or the supersampler. Empty the
 * folder after a change of these.
 */
export function keepInFolder(folder: string, sceneWidthPx: number): Keep {
  mkdirSync(folder, { recursive: true })
  return {
    truth: (name, make) => {
      const file = path.join(folder, `${name}-${sceneWidthPx}.f32`)
      if (existsSync(file)) {
        const bytes = readFileSync(file)
        const values = new Float32Array(bytes.byteLength / 4)
        new Uint8Array(values.buffer).set(bytes)
        // Three colours and a share of coverage for each pixel.
        const pixels = values.length / 4
        const data = values.subarray(0, pixels * 3)
        return { widthPx: sceneWidthPx, heightPx: pixels / sceneWidthPx, data, covered: values.subarray(pixels * 3) }
      }
      const truth = make()
      const values = new Float32Array(truth.data.length + truth.covered.length)
      values.set(truth.data)
      values.set(truth.covered, truth.data.length)
      writeFileSync(file, values)
      return truth
    },
    artwork: (widthPx, heightPx, make) => {
      const file = path.join(folder, `artwork-${widthPx}x${heightPx}.rgba`)
      if (existsSync(file)) return { alpha: 'straight', widthPx, heightPx, data: new Uint8Array(readFileSync(file)) }
      const artwork = make()
      writeFileSync(file, artwork.data)
      return artwork
    },
  }
}
