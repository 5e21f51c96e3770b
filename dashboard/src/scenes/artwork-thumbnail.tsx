/**
 * A thumbnail of an artwork from the pixels that were decoded for the scenes. Decoding the file again in the
 * browser would delay the scenes.
 */
import { useEffect, useRef } from 'react'
import { useObjectUrl } from '../use-object-url.ts'
import type { ArtworkLook } from './scene-messages.ts'
import { useArtworkLook } from './use-artwork-look.ts'

type ArtworkThumbnailProps = { file: File; onSize?: (widthPx: number, heightPx: number) => void }

export function ArtworkThumbnail({ file, onSize }: ArtworkThumbnailProps) {
  const look = useArtworkLook(file)
  if (look === 'unknown' || look === 'failed') return <FileThumbnail file={file} onSize={onSize} />
  return <BitmapThumbnail look={look === 'awaited' ? null : look} onSize={onSize} />
}

type Sized = { onSize: ArtworkThumbnailProps['onSize'] }

function FileThumbnail({ file, onSize }: { file: File } & Sized) {
  const url = useObjectUrl(file)
  if (url === null) return null
  return (
    <img
      src={url}
      alt=""
      decoding="async"
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => onSize?.(naturalWidth, naturalHeight)}
    />
  )
}

function BitmapThumbnail({ look, onSize }: { look: ArtworkLook | null } & Sized) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const tell = useRef(onSize)
  useEffect(() => {
    tell.current = onSize
  })
  useEffect(() => {
    if (look === null || canvas.current === null) return
    const { thumbnail, width, height } = look
    canvas.current.width = thumbnail.width
    canvas.current.height = thumbnail.height
    canvas.current.getContext('2d')?.drawImage(thumbnail, 0, 0)
    tell.current?.(width, height)
  }, [look])
  return <canvas ref={canvas} aria-hidden="true" />
}
