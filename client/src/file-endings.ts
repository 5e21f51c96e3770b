/** Endings of files that are no JPEG or PNG, which a picture of such a name would be taken for. */
const foreignEndings =
  /\.(?:webp|gif|avif|heic|heif|tiff?|bmp|svgz?|pdf|psd|psb|ai|eps|jxl|jp2|jpx|ico|tga|exr|raw|dng|mp4|mov)$/i

const endings = { jpeg: /\.(?:jpe?g|jpe|jfif)$/i, png: /\.png$/i }

type Format = keyof typeof endings

/** The format that a file's name says, or null where it says none of mockups. */
export function formatOfName(name: string): Format | null {
  return endings.jpeg.test(name) ? 'jpeg' : endings.png.test(name) ? 'png' : null
}

/** Whether the name says that a file is something which no mockup is, as in `x.webp`. */
export const hasForeignEnding = (name: string): boolean => foreignEndings.test(name)
