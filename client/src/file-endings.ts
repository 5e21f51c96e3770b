import { endings } from './endings.ts'
import type { Format } from './types.ts'

/** Extensions of other formats, under which a mockup would be mistaken for one of them. */
const foreignEndings =
  /\.(?:webp|gif|avif|heic|heif|tiff?|bmp|svgz?|pdf|psd|psb|ai|eps|jxl|jp2|jpx|ico|tga|exr|raw|dng|mp4|mov)$/i

/** The mockup format of a file name's extension, or null. */
export function formatOfName(name: string): Format | null {
  const ending = name.split('.').slice(1).at(-1)?.toLowerCase()
  // The keys of the table are the formats.
  for (const format of Object.keys(endings) as Format[])
    if (endings[format].some(known => known === ending)) return format
  return null
}

/** Whether a file name has the extension of another format, such as `x.webp`. */
export const hasForeignEnding = (name: string): boolean => formatOfName(name) === null && foreignEndings.test(name)
