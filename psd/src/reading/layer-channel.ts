import type { Rect } from '@vitrine/engine'
import type { Layer, LayerRawDataChannel } from 'ag-psd'
import { type ChannelRows, openChannel } from './channel-rows.ts'
import type { FileBytes } from './file-bytes.ts'
import { findSamples } from './read-structure.ts'

/** Ids of channels other than colour: transparency, the mask in use, and the user's if there are two. */
export const TRANSPARENCY = -1
export const USER_MASK = -2
export const REAL_USER_MASK = -3

/** ag-psd has an enumeration for a number in files. */
function idOf({ id }: LayerRawDataChannel): number {
  return id
}

/** Whether a layer has a channel with bytes. */
export function hasChannel({ rawData }: Layer, id: number): boolean {
  return rawData?.channels.some(channel => idOf(channel) === id && channel.data) === true
}

/** Rows of a layer's channel that fills a rectangle; null if the file has none. */
export function openLayerChannel(
  file: FileBytes,
  { rawData }: Layer,
  id: number,
  { widthPx, heightPx }: Rect,
): ChannelRows | null {
  const channel = rawData?.channels.find(each => idOf(each) === id)
  const data = channel && findSamples(channel, file)
  if (!rawData || !data) return null
  return openChannel({
    compression: channel.compression,
    data,
    widthPx,
    heightPx,
    bits: rawData.bitsPerChannel === 16 ? 16 : 8,
    isLarge: rawData.large,
  })
}
