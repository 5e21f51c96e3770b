// Written by scripts/generate-reference.ts from the schemas of contract/.

/** How names of files of each format end, without the dot; those that are written with the first. */
export const endings = {
  jpeg: ['jpg', 'jpeg', 'jpe', 'jfif'],
  png: ['png'],
} as const
