// Written by scripts/generate-reference.ts from the schemas of contract/.

/** File extensions of each format, without the dot; files are written with the first. */
export const endings = {
  jpeg: ['jpg', 'jpeg', 'jpe', 'jfif'],
  png: ['png'],
} as const
