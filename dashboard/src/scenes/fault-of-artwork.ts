import { limits } from '@vitrine/contract'
import { formatAdvice } from '../format-advice.ts'
import { scenePool } from './scene-pool.ts'

/** Why a file cannot be used as artwork, in the service's words; null if it can. */
export async function faultOfArtwork(file: File): Promise<string | null> {
  const advice = formatAdvice(file)
  if (advice !== null) return advice
  if (file.size > limits.artworkSizeBytesMax)
    return `“${file.name}” has ${(file.size / 1024 / 1024).toFixed(1)} MB: an artwork may have at most 20 MB.`
  const fault = await scenePool.faultOf(file)
  return fault === null ? null : `“${file.name}”: ${fault}`
}
