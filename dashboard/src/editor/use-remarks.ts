/** What will disappoint in a draft although nothing stands against saving it. */
import { useMemo } from 'react'
import { formatCount } from '../format.ts'
import type { Draft } from './draft.ts'
import { meanLightIn, remarkOnLight } from './photo-light.ts'

/** The usual width of a shop's picture. */
const PHOTO_WIDTH_MIN_PX = 2000
/** Enough to find the lightness of a part of a photo. */
const LOOKED_AT_WIDTH_PX = 256

export function useRemarks(draft: Draft, photo: ImageBitmap | null): readonly string[] {
  const pixels = useMemo(() => (photo === null ? null : smallPixels(photo)), [photo])
  const { frames, blendingMode, widthPx } = draft
  return useMemo(() => {
    const remarks: string[] = []
    if (widthPx < PHOTO_WIDTH_MIN_PX)
      remarks.push(
        `The photo is ${formatCount(widthPx)} pixels wide: larger mockups look soft. Use one of 2,000 or more.`,
      )
    if (pixels === null) return remarks
    for (const [index, { corners, kept }] of frames.entries()) {
      const light = corners === null ? null : meanLightIn(pixels, corners, pixels.width / widthPx)
      if (light === null || kept['lighting'] !== undefined) continue
      const own = kept['blending_mode']
      const mode = typeof own === 'string' ? own : blendingMode
      const remark = remarkOnLight(light, mode)
      if (remark !== null)
        remarks.push(
          `In frame ${index + 1} the photo is ${remark} for “${mode.replaceAll('-', ' ')}”: artwork will hardly be seen. Choose the blending mode “${remark === 'too dark' ? 'screen' : 'multiply'}” or “normal”.`,
        )
    }
    return remarks
  }, [pixels, frames, blendingMode, widthPx])
}

function smallPixels(photo: ImageBitmap): ImageData | null {
  const scale = Math.min(1, LOOKED_AT_WIDTH_PX / photo.width)
  const [width, height] = [Math.round(photo.width * scale), Math.max(1, Math.round(photo.height * scale))]
  const context = new OffscreenCanvas(width, height).getContext('2d')
  context?.drawImage(photo, 0, 0, width, height)
  return context?.getImageData(0, 0, width, height) ?? null
}
