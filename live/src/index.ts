/** Scenes in pages, and artwork that the pointer moves in them: what the dashboard and shops' pages share. */
export { clearArtwork } from './clear-artwork.ts'
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
  turned,
} from './gestures.ts'
export { croppedShare, movedBy, type PlacedArtwork, restingLines } from './moved-in-frame.ts'
export { describePlacement, fieldValue, type PlacementChange } from './placement-values.ts'
export { type Client, followed, type HandTarget, pinched, wheeled } from './pointer-moves.ts'
export { PreviewTemplate } from './live-scene.ts'
export { showBitmap } from './show-bitmap.ts'
export { fitted, fittedWithMargin, hasClearParts, startPlacement } from './start-placement.ts'
