/** Live scenes in pages, and artwork that pointers move in them: shared by the dashboard and shops' pages. */
export { attachPointer, type PointerInput } from './attach-pointer.ts'
export { clearArtwork, withoutArtwork } from './clear-artwork.ts'
export { composeLive } from './compose-live.ts'
export {
  type ArtworkSize,
  artworkOutline,
  type FramePlane,
  frameCorners,
  framePlanes,
  type Point,
  toFrame,
  toPicture,
} from './frame-plane.ts'
export {
  angleBetween,
  arrows,
  isCentred,
  type KeyPress,
  keyChange,
  moved,
  ratioBetween,
  scaled,
  scaledByKey,
  turned,
} from './gestures.ts'
export { LiveScene } from './live-scene.ts'
export { croppedShare, movedBy, type PlacedArtwork, restingLines } from './moved-in-frame.ts'
export { NewestOnly } from './newest-only.ts'
export { describePlacement, fieldValue, type PlacementChange } from './placement-values.ts'
export { type Client, type PointerTarget, wheelPixels } from './pointer-moves.ts'
export { showBitmap } from './show-bitmap.ts'
export { type ShownFrames, shownFrames } from './shown-frames.ts'
export { fitted, fittedWithMargin, hasClearParts, startPlacement } from './start-placement.ts'
export { serveCalls, WorkerChannel } from './worker-channel.ts'
