/** The conversion of CMYK without a profile, loaded with the first such picture. */
import text from '@vitrine/engine/kernels/press-table.bin?text'
import { bytesOfText } from './bytes-of-text.ts'

export const pressTable = (): Uint8Array => bytesOfText(text)
