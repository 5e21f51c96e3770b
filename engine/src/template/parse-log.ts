import type { LayerKind } from '../codec.ts'
import type { Quad } from '../geometry/quad.ts'
import { DESCRIPTION_FILE } from './bundle-files.ts'
import { FaultCollector } from './fault-collector.ts'

/** The uses of a bundle's pictures, and how each is decoded. */
export const layerKinds = {
  scene: 'rgb',
  thumbnail: 'rgb',
  mask: 'coverage',
  uvmap: 'uv',
  light: 'rgb',
  overlay: 'rgba',
  affine: 'rgb16',
  tables: 'rgb16',
  cube: 'rgb16',
} as const satisfies Record<string, LayerKind>

export type LayerUse = keyof typeof layerKinds

/** A file that a field of template.json names. */
export type UsedFile = { readonly field: string; readonly path: string; readonly use: LayerUse }

/** A part of the scene in scene pixels; edges may lie within pixels. */
export type SceneRegion = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }

/** Faults of a template.json, and what is checked later with its pictures. Filled even if it is invalid. */
export class ParseLog {
  /** the file being read */
  readonly file: string
  readonly faults = new FaultCollector()
  readonly files: UsedFile[] = []
  /** files that are not pictures */
  readonly jsonFiles: Omit<UsedFile, 'use'>[] = []
  readonly quads: { readonly field: string; readonly corners: Quad }[] = []
  /** in all lists */
  operationCount = 0
  readonly regions: { readonly field: string; readonly region: SceneRegion }[] = []

  constructor(file: string = DESCRIPTION_FILE) {
    this.file = file
  }
}
