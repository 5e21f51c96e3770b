import type { Layer } from 'ag-psd'
import { CONTENT_ID, paint, pixelLayer, type Rgba, smartLayer, writePsd } from './make-psd.ts'
import { designPng } from './mockup-file.ts'

export const SHIRT_WIDTH = 96
const SHIRT_HEIGHT = 72
const shirt = { left: 10, top: 8, right: 80, bottom: 66 } as const
const design = { left: 20, top: 16, width: 48, height: 36 } as const
/** Whether a pixel shows the shirt. */
export const isShirt = (x: number, y: number) =>
  x >= shirt.left && x < shirt.right && y >= shirt.top && y < shirt.bottom
export const groundAt = (x: number, y: number): Rgba => [240 - x, 230 - y, 220]
const red = { r: 200, g: 40, b: 60 }

/** A ground, a shirt's colour in multiply, and a design on it in multiply, with folds above all. */
export function shirtPsd(color: Layer = {}): Uint8Array {
  const [left, top, right, bottom] = [design.left, design.top, design.left + 48, design.top + 36]
  const dyed = (x: number, y: number): Rgba => {
    const inside = isShirt(x, y)
    const at = { x: x - left, y: y - top }
    const isDesign = at.x >= 0 && at.x < 48 && at.y >= 0 && at.y < 36
    const art = [60 + 3 * at.x, 250 - 4 * at.y, 120]
    const channel = (c: 0 | 1 | 2): number => {
      const cloth = (groundAt(x, y)[c] * (inside ? ([red.r, red.g, red.b][c] ?? 0) : 255)) / 255
      return Math.round((isDesign ? (cloth * (art[c] ?? 0)) / 255 : cloth) * 0.9)
    }
    return [channel(0), channel(1), channel(2)]
  }
  const mask = {
    ...shirt,
    defaultColor: 0,
    imageData: paint(shirt.right - shirt.left, shirt.bottom - shirt.top, [255, 255, 255]),
  }
  const layers: Layer[] = [
    pixelLayer('ground', 0, 0, paint(SHIRT_WIDTH, SHIRT_HEIGHT, groundAt)),
    { name: 'Shirt color', vectorFill: { type: 'color', color: red }, blendMode: 'multiply', mask, ...color },
    smartLayer(
      'Your design',
      [left, top, right, top, right, bottom, left, bottom],
      { width: 48, height: 36 },
      {
        blendMode: 'multiply',
      },
    ),
    pixelLayer('folds', 0, 0, paint(SHIRT_WIDTH, SHIRT_HEIGHT, [0, 0, 0, 25.5])),
  ]
  return writePsd(SHIRT_WIDTH, SHIRT_HEIGHT, layers, {
    merged: paint(SHIRT_WIDTH, SHIRT_HEIGHT, dyed),
    linked: [{ id: CONTENT_ID, name: 'design.png', type: 'png ', data: designPng }],
  })
}
