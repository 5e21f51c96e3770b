// Written by scripts/generate-reference.ts from the schemas of contract/.

/** The file extension that mockups of each format are written with, without the dot. */
export const extensions = {
  jpeg: 'jpg',
  png: 'png',
} as const

/** All file extensions of each format. */
export const endings = {
  jpeg: ['jpg', 'jpeg', 'jpe', 'jfif'],
  png: ['png'],
} as const
