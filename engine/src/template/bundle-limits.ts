// Limits of a bundle, each with its reason. Its pictures have the artwork's limits too (artwork/limits.ts).

/** With the scene's ratio bounded too, no output of 4,000 px width exceeds 64 megapixels. */
export const MAX_SCENE_SIDE_PX = 8_000
export const MAX_SCENE_PIXELS = 40_000_000
export const MAX_SCENE_RATIO = 4

/** In scene sizes beyond each side. A frame may reach out of the scene; far outside it only costs time. */
export const MAX_DISTANCE_IN_SCENES = 4

/** A wall of pictures; every frame is one artwork to fetch and decode. */
export const MAX_FRAMES = 16

/** Overlays are blended over the whole picture, one after the other. */
export const MAX_OVERLAYS = 8

/** Of a stack and of all lists in it: what imported files need after their layers are joined. */
export const MAX_OPERATIONS = 64

/** Lists in lists: every level is a picture of the region while it is drawn. */
export const MAX_OPERATION_DEPTH = 4

/** The pictures and masks of all operations together, in scenes. What they take has bounds of its own. */
export const MAX_OPERATION_SCENES = 20

/** Photoshop's layers have ten of a kind at most, and hardly ever more than five in all. */
export const MAX_EFFECTS = 16

/** Of a stroke's width, a blur and a spread: four times what Photoshop's dialogs take. */
export const MAX_EFFECT_PX = 1_000

/** Of a shadow: farther away it lies outside of most scenes. */
export const MAX_EFFECT_OFFSET_PX = 4_000

/** A shirt, its collar, its sleeves; every area is drawn over the picture, one after the other. */
export const MAX_COLORS = 8

/** More than a dashboard shows in a few rows. */
export const MAX_SUGGESTIONS = 40
export const MAX_SUGGESTION_NAME_LENGTH = 40

/**
 * Of the default colour of an area without lighting, sRGB-encoded: the photograph is divided by it, and what
 * is darker has no light left to divide.
 */
export const LEAST_DIVIDED_CHANNEL = 48

/** Unpacked. A scene of 40 megapixels with 16-bit maps stays far below. */
export const MAX_BUNDLE_SIZE_BYTES = 200 * 1024 * 1024

/**
 * Of all pictures that a bundle names, each once for each use: 16 frames of 3 layers of 4 megapixels beside
 * the largest scene. Checking as many takes a process 5 to 25 s.
 */
export const MAX_BUNDLE_PIXELS = 250_000_000

/** Of one core at the greatest output width. The slowest machine still ends within the 20 s of a mockup. */
export const MAX_TEMPLATE_TIME_MS = 4_000

/** Beside the largest artwork (512 MiB) and the program it fits into the 1,536 MiB of a render process. */
export const MAX_TEMPLATE_MEMORY_BYTES = 600_000_000

/** 16 frames of 4 layers, 8 overlays, scene, thumbnail and some notes are about 80. */
export const MAX_BUNDLE_FILES = 1_000

/** 16 frames take some 8 KiB. */
export const MAX_DESCRIPTION_SIZE_BYTES = 1024 * 1024

/** Longer names break lists. */
export const MAX_NAME_LENGTH = 200
export const MAX_CATEGORY_LENGTH = 100
export const MAX_SURFACE_TYPE_LENGTH = 64

/** File systems do not all take longer paths. */
export const MAX_PATH_LENGTH = 200

/** A longer frame shows nothing of an artwork. */
export const MAX_ASPECT_RATIO = 100

/** More scale than this leaves nothing of the 8 bits of a layer. */
export const MAX_LIGHT_SCALE = 100
export const MIN_LIGHT_SCALE = 1 / 1024
