/** The bundle's folder within the process's output folder. */
export const PHOTO_BUNDLE_FOLDER = 'bundle'
