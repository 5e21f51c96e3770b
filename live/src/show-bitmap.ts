/**
 * Shows an opaque picture in a canvas of its size, and closes it. It is copied: bitmaps transferred to a
 * canvas (`bitmaprenderer`) accumulate in Chromium's GPU process.
 */
export function showBitmap(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  if (canvas.width !== bitmap.width) canvas.width = bitmap.width
  if (canvas.height !== bitmap.height) canvas.height = bitmap.height
  canvas.getContext('2d', { alpha: false })?.drawImage(bitmap, 0, 0)
  bitmap.close()
}
