// Limits of a bundle, each with its reason. Its pictures also have the limits of artwork (artwork/limits.ts).

/** With the scene's aspect ratio bounded too, no output 4,000 px wide exceeds 64 megapixels. */
export const MAX_SCENE_SIDE_PX = 8_000
export const MAX_SCENE_PIXELS = 40_000_000
export const MAX_SCENE_RATIO = 4

/** In scene sizes beyond each side. Frames may extend beyond the scene; far outside they only cost time. */
export const MAX_DISTANCE_IN_SCENES = 4

/** A gallery wall; every frame is one artwork to download and decode. */
export const MAX_FRAMES = 16

/** Overlays are blended one after another over the whole picture. */
export const MAX_OVERLAYS = 8

/** In a stack with all nested lists: enough for imported files after their layers are merged. */
export const MAX_OPERATIONS = 64

/** Nesting depth: every level holds a picture of the region while it is drawn. */
export const MAX_OPERATION_DEPTH = 4

/** Pictures and masks of all operations together, in scenes. Their memory and time have separate limits. */
export const MAX_OPERATION_SCENES = 20

/** Photoshop's layers have at most ten of a kind, and rarely more than five in all. */
export const MAX_EFFECTS = 16

/** Of a stroke's width, a blur or a spread: four times the limit of Photoshop's dialogs. */
export const MAX_EFFECT_PX = 1_000

/** Of a shadow: farther away, it lies outside most scenes. */
export const MAX_EFFECT_OFFSET_PX = 4_000

/** Such as a shirt, its collar, its sleeves; areas are drawn one after another over the picture. */
export const MAX_COLORS = 8

/** More than a dashboard shows in a few rows. */
export const MAX_SUGGESTIONS = 40
export const MAX_SUGGESTION_NAME_LENGTH = 40

/**
 * The least channel of an area's default colour without lighting, sRGB-encoded: the photograph is divided by
 * it, and darker colours leave too little light to divide.
 */
export const LEAST_DIVIDED_CHANNEL = 48

/** Unpacked. A scene of 40 megapixels with 16-bit maps is far below. */
export const MAX_BUNDLE_SIZE_BYTES = 200 * 1024 * 1024

/**
 * Of all pictures that a bundle uses, counted for each use: 16 frames with 3 layers of 4 megapixels and the
 * largest scene. Checking that many takes a process 5 to 25 s.
 */
export const MAX_BUNDLE_PIXELS = 250_000_000

/** Of one core at the greatest output width. The slowest machine still stays within a mockup's 20 s. */
export const MAX_TEMPLATE_TIME_MS = 4_000

/** Fits, with the largest artwork (512 MiB) and the program, into the 1,536 MiB of a render process. */
export const MAX_TEMPLATE_MEMORY_BYTES = 600_000_000

/** 16 frames of 4 layers, 8 overlays, scene, thumbnail and some notes are about 80. */
export const MAX_BUNDLE_FILES = 1_000

/** 16 frames take some 8 KiB. */
export const MAX_DESCRIPTION_SIZE_BYTES = 1024 * 1024

/** Longer names break the layout of lists. */
export const MAX_NAME_LENGTH = 200
export const MAX_CATEGORY_LENGTH = 100
export const MAX_SURFACE_TYPE_LENGTH = 64

/** Not all file systems allow longer paths. */
export const MAX_PATH_LENGTH = 200

/** A longer frame would show almost nothing of an artwork. */
export const MAX_ASPECT_RATIO = 100

/** A larger scale leaves nothing of a layer's 8 bits. */
export const MAX_LIGHT_SCALE = 100
export const MIN_LIGHT_SCALE = 1 / 1024
