import { limits } from '@vitrine/contract'

/** What the font of watermarks has, but for what cannot be seen: the Latin letters of Western Europe. */
const watermarkText = /^[\x20-\x7e\xa1-\xac\xae-\xff–—‘’“”•…€™ŒœŸ]*$/

/** The text of a watermark as it is drawn, or null for one that cannot be. Empty: none is drawn. */
export function parseWatermark(text: string): string | null {
  const mark = text.trim().normalize('NFC').replaceAll(/ +/g, ' ')
  return mark.length <= limits.watermarkCharactersMax && watermarkText.test(mark) ? mark : null
}
