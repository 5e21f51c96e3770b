/** Endings of other formats: a mockup under such a name would be taken for one of them. */
const foreignEndings =
  /\.(?:webp|gif|avif|heic|heif|tiff?|bmp|svgz?|pdf|psd|psb|ai|eps|jxl|jp2|jpx|ico|tga|exr|raw|dng|mp4|mov)$/i

const endings = { jpeg: /\.(?:jpe?g|jpe|jfif)$/i, png: /\.png$/i }

type Format = keyof typeof endings

/** The format of mockups that a file's name ends with, or null. */
export function formatOfName(name: string): Format | null {
  return endings.jpeg.test(name) ? 'jpeg' : endings.png.test(name) ? 'png' : null
}

/** Whether the name ends with a format that mockups do not have, such as `x.webp`. */
export const hasForeignEnding = (name: string): boolean => foreignEndings.test(name)
