/** Advice for picture formats that are not accepted as artwork but that phones and print shops produce. */

/** Matched against the file's type and name; the first match applies. */
const advices = [
  [/heic|heif/i, 'a HEIC photo', 'Export or share it as JPEG'],
  [/avif/i, 'an AVIF', 'Export it as PNG or JPEG'],
  [/svg/i, 'an SVG drawing', 'Export it as PNG, 2,000 pixels wide or more'],
  [/pdf/i, 'a PDF', 'Export the page as PNG, at 300 dpi'],
  [/postscript|\.(ai|eps)$/i, 'an Illustrator or PostScript file', 'Export it as PNG, at 300 dpi'],
  [/tiff?$|^image\/tiff/i, 'a TIFF', 'Export it as PNG or JPEG'],
] as const

/** Says what a file is and what to export instead; null if it may be artwork. */
export function formatAdvice({ name, type }: Pick<File, 'name' | 'type'>): string | null {
  const [, what, advice] = advices.find(([pattern]) => pattern.test(type) || pattern.test(extensionOf(name))) ?? []
  return what === undefined || advice === undefined ? null : `“${name}” is ${what}. ${advice}.`
}

/** Whether the format is one that cameras and phones save and that some browsers can decode. */
export const isCameraFormat = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  /hei[cf]|avif|tiff/i.test(type) || /\.(hei[cf]|avif|tiff?)$/i.test(name)

const extensionOf = (name: string): string => /\.\w+$/.exec(name)?.[0] ?? ''
