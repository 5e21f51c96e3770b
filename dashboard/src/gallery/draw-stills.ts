/** Small JPEGs of the scenes as they are now, drawn by the gallery's workers. */
import { limits } from '@vitrine/contract'
import type { SceneWant } from '../scenes/scene-messages.ts'
import { scenePool } from '../scenes/scene-pool.ts'

/** Tried in order until the picture is small enough for the service. */
const qualities = [0.85, 0.7, 0.5] as const

/** The same as for visible scenes. */
const PRIORITY = 0

/** In the order of `wants`. `onDrawn` gets the number drawn so far. @throws Error if one cannot be drawn */
export async function drawStills(wants: readonly SceneWant[], onDrawn: (count: number) => void): Promise<Blob[]> {
  let count = 0
  return Promise.all(
    wants.map(async want => {
      const still = await encoded(await drawn(want))
      onDrawn(++count)
      return still
    }),
  )
}

function drawn(want: SceneWant): Promise<ImageBitmap> {
  const name = crypto.randomUUID()
  return new Promise<ImageBitmap>((resolve, reject) => {
    scenePool.want(name, want, PRIORITY, {
      onShown: ({ bitmap }) => resolve(bitmap),
      onFailed: message => reject(new Error(message)),
    })
  }).finally(() => scenePool.drop(name, want.pack))
}

async function encoded(bitmap: ImageBitmap): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = bitmap.width
  canvas.height = bitmap.height
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  for (const quality of qualities) {
    const still = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', quality))
    if (still !== null && still.size <= limits.proofStillBytesMax) return still
  }
  throw new Error('This browser could not make a small enough picture of a scene.')
}
