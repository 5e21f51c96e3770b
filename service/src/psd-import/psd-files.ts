/** Names in the folder that the process writes to. */
export const BUNDLE_FOLDER = 'bundle'
export const PHOTOSHOP_FILE = 'photoshop.webp'
export const OURS_FILE = 'ours.webp'
export const DIFFERENCE_FILE = 'difference.webp'
