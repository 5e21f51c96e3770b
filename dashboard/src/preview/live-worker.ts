/** Draws small previews while the pointer moves artwork, which is decoded only once. */
import { imageDataOf, LiveArtwork } from '@vitrine/engine/browser'
import { LiveScene, serveCalls, withoutArtwork } from '@vitrine/live'
import { browserCodec } from './browser-codec.ts'
import { frameKernel } from './kernels.ts'
import { servedFiles } from './prepare-from.ts'
import type { LiveCalls } from './preview-messages.ts'

const opened = Promise.withResolvers<{ readonly scene: LiveScene; readonly artworks: readonly LiveArtwork[] }>()
// The failure is reported when drawing.
opened.promise.catch(() => undefined)

async function open({ folder, widthPx, artworks: files }: Parameters<LiveCalls['open']>[0]) {
  const scene = await LiveScene.open(servedFiles(folder), widthPx, browserCodec, await frameKernel)
  const decoded = new Map<Uint8Array, LiveArtwork>()
  for (const bytes of files) if (!decoded.has(bytes)) decoded.set(bytes, await LiveArtwork.decode(bytes, browserCodec))
  return { scene, artworks: files.flatMap(bytes => decoded.get(bytes) ?? []) }
}

serveCalls({
  async open(request) {
    await open(request).then(opened.resolve, opened.reject)
  },
  async draw({ placements, colors }) {
    const { scene, artworks } = await opened.promise
    const { picture } = await scene.draw(colors, frame => ({
      artwork: artworks[frame] ?? withoutArtwork,
      placement: placements[frame],
    }))
    return { picture: imageDataOf(picture) }
  },
} satisfies LiveCalls)
