/**
 * Shows an opaque picture in a canvas of its size, and closes it. Copied: bitmaps that a canvas takes whole
 * (`bitmaprenderer`) stay in Chromium's process that draws, more with every picture.
 */
export function showBitmap(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  if (canvas.width !== bitmap.width) canvas.width = bitmap.width
  if (canvas.height !== bitmap.height) canvas.height = bitmap.height
  canvas.getContext('2d', { alpha: false })?.drawImage(bitmap, 0, 0)
  bitmap.close()
}
