import { limits } from '@vitrine/contract'

/** The visible characters of the watermark font: the Latin letters of Western Europe. */
const watermarkText = /^[\x20-\x7e\xa1-\xac\xae-\xff–—‘’“”•…€™ŒœŸ]*$/

/** The normalised text of a watermark, or null if it cannot be drawn. Empty: none is drawn. */
export function parseWatermark(text: string): string | null {
  const mark = text.trim().normalize('NFC').replaceAll(/ +/g, ' ')
  return mark.length <= limits.watermarkCharactersMax && watermarkText.test(mark) ? mark : null
}
