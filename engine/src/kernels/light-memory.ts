import * as layout from '../../kernels/assembly/frame/layout.ts'
import type { Light } from '../lighting/light-chunk.ts'
import { linearFromByte } from '../lighting/light-tables.ts'

/** Writes the tables of a frame's light to an address of a kernel's memory. */
export function writeLightTables(
  bytes: Uint8Array<ArrayBuffer>,
  address: number,
  { tone, layerTable, surface }: Light,
): void {
  const table = (offset: number, numbers: ArrayLike<number>): void =>
    new Float64Array(bytes.buffer, address + offset, numbers.length).set(numbers)
  table(layout.LINEAR_LIGHT, linearFromByte)
  table(layout.SCENE_LIGHT, tone.lightFromByte)
  table(layout.LAYER_LIGHT, layerTable)
  table(layout.SURFACE_LIGHT, surface)
  new DataView(bytes.buffer, address).setInt32(layout.LAST_STEP, tone.byteFromLight.length - 1, true)
  bytes.set(tone.byteFromLight, address + layout.BYTE_OF_STEP)
}
