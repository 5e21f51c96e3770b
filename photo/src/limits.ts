// Limits of a drawing and its photo, each with its reason. The template has the engine's limits too.

/** Mockups have at most 4,000 px a side; the planes of light take some 100 bytes a pixel of the frames. */
export const MAX_PHOTO_SIDE_PX = 4_000

/** A smaller picture cannot be a photo of a product. */
export const MIN_PHOTO_SIDE_PX = 64

/** Several frames of several kinds; each takes an overlay, of which a template has eight. */
export const MAX_FRAMES = 8

/** A person sets some ten. */
export const MAX_MARKS = 64

/** Each costs every pixel of the frame a logarithm. */
export const MAX_PINS = 64

/** A brush leaves a point every few pixels. */
export const MAX_STROKES = 400
export const MAX_STROKE_POINTS = 20_000

/** Coordinates may leave the photo: a product may be cut by its edge. In photo sizes beyond each side. */
export const MAX_DISTANCE_IN_PHOTOS = 2

/** Of a drawing, as JSON. */
export const MAX_DRAWING_BYTES = 1024 * 1024
