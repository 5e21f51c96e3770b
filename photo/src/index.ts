/** A photo of a blank product as a template bundle: pixels and a drawing in, bundle and report out. */

export { decodePhoto } from './decode-photo.ts'
export type { BodyMark } from './drawing/body-mark.ts'
export {
  DRAWING_FILE,
  type Drawing,
  type DrawnFrame,
  type DrawnProduct,
  parseDrawing,
  type Stroke,
  scaleDrawing,
  scaleStrokes,
} from './drawing/drawing.ts'
export { buildDrawingSchema } from './drawing/drawing-schema.ts'
export { type SurfaceName, surfaceNames } from './light/surfaces.ts'
export {
  MAX_DRAWING_BYTES,
  MAX_FRAMES,
  MAX_PHOTO_SIDE_PX,
  MAX_STROKES,
  MIN_PHOTO_SIDE_PX,
} from './limits.ts'
export {
  type MadeTemplate,
  makeTemplate,
  type PreviewedTemplate,
  previewTemplate,
  type TemplateDetails,
  type TemplateTools,
} from './make-template.ts'
export { contoursOf } from './outline/contours.ts'
export { createOutliner, type Outliner, outlinesOf } from './outline/outliner.ts'
export type { Coverage, Outlines, PhotoPixels } from './photo-pixels.ts'
export { PhotoRefusedError } from './photo-refused-error.ts'
export type { Doubt, DoubtKind, FrameReport, PhotoReport } from './photo-report.ts'
export { type LivePicture, LivePreview } from './preview/live-preview.ts'
export { proposeBody } from './proposals/propose-body.ts'
export { proposePrint } from './proposals/propose-print.ts'
export { MOST_TURN } from './surfaces/body.ts'
export { type KnownProductId, knownProductIds, knownProducts } from './surfaces/known-products.ts'
export { lensOfEdge, MAX_LENS } from './surfaces/lens.ts'
export { warpOfCorners } from './surfaces/warp.ts'
