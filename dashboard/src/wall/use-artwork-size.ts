import { useEffect, useState } from 'react'
import type { ArtworkSize } from './scene-facts.ts'

/** The upright size of a picture, as the browser reads it; null while it is unknown, or unreadable. */
export function useArtworkSize(file: File | null): ArtworkSize | null {
  const [known, setKnown] = useState<{ of: File; size: ArtworkSize } | null>(null)
  useEffect(() => {
    if (file === null) return
    const url = URL.createObjectURL(file)
    const image = new Image()
    image.onload = () => setKnown({ of: file, size: { width: image.naturalWidth, height: image.naturalHeight } })
    image.src = url
    return () => {
      image.onload = null
      URL.revokeObjectURL(url)
    }
  }, [file])
  return known !== null && known.of === file ? known.size : null
}
