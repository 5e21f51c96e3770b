/** Extensions of other formats, under which a mockup would be mistaken for one of them. */
const foreignEndings =
  /\.(?:webp|gif|avif|heic|heif|tiff?|bmp|svgz?|pdf|psd|psb|ai|eps|jxl|jp2|jpx|ico|tga|exr|raw|dng|mp4|mov)$/i

const endings = { jpeg: /\.(?:jpe?g|jpe|jfif)$/i, png: /\.png$/i }

type Format = keyof typeof endings

/** The mockup format of a file name's extension, or null. */
export function formatOfName(name: string): Format | null {
  return endings.jpeg.test(name) ? 'jpeg' : endings.png.test(name) ? 'png' : null
}

/** Whether a file name has the extension of another format, such as `x.webp`. */
export const hasForeignEnding = (name: string): boolean => foreignEndings.test(name)
