/** A photo of a blank product as a template bundle: pixels and a drawing in, bundle and report out. */

export type { Coverage, PhotoPixels } from './photo-pixels.ts'
