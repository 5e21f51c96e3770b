// Limits of a Photoshop file, each with its reason. The scene has the engine's limits too.

/** Sold mockups have 50 to 300 MB. */
export const MAX_FILE_BYTES = 500_000_000

/** Of the canvas. A larger one is a poster for print, and takes more time than an import has. */
export const MAX_CANVAS_SIDE_PX = 30_000
export const MAX_CANVAS_PIXELS = 120_000_000

/** Of the scene (the engine's own limits). */
export const MAX_SCENE_SIDE_PX = 8_000
export const MAX_SCENE_PIXELS = 40_000_000

/** Sold mockups have some hundred layers. */
export const MAX_LAYERS = 2_000

/** Nested groups. Photoshop itself allows 10; reading recurses, so it needs a bound. */
export const MAX_DEPTH = 32

/** In canvases beyond each side. Some files have layers of 30,000 x 30,000 pixels without bytes. */
export const MAX_DISTANCE_IN_CANVASES = 4

/** Of all layers within the canvas: a million takes about 17 ms. */
export const MAX_LAYER_PIXELS = 3_000_000_000

/** An embedded file; it is decoded once. */
export const MAX_CONTENT_BYTES = 200_000_000
export const MAX_CONTENT_PIXELS = 60_000_000

/** The bundle's own limit of frames. */
export const MAX_FRAMES = 16

/** The bundle's own limit of colours that requests may change. */
export const MAX_COLORS = 8

/** After folding. Each is drawn over its region in every mockup. */
export const MAX_OPERATIONS = 64

/** Points of a warp per axis: 21 patches. Photoshop's own limit of split warps is below. */
export const MAX_MESH_POINTS = 64

/** Nested isolated and masked groups, the engine's own limit: each takes a buffer of its region. */
export const MAX_GROUP_DEPTH = 4
