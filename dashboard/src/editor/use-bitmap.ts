import { useEffect, useState } from 'react'
import { announce } from '../components/announcer.tsx'

/** The photo's pixels at full size, for the stage and its magnifier. Null until they are read. */
export function useBitmap(blob: Blob): ImageBitmap | null {
  const [bitmap, setBitmap] = useState<ImageBitmap | null>(null)
  useEffect(() => {
    let current: ImageBitmap | null = null
    let left = false
    createImageBitmap(blob, { colorSpaceConversion: 'none' }).then(
      made => {
        if (left) made.close()
        else setBitmap((current = made))
      },
      () => announce('The photo could not be read.'),
    )
    return () => {
      left = true
      current?.close()
      setBitmap(null)
    }
  }, [blob])
  return bitmap
}
