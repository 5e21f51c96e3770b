/** A product with known measures, in mm. */
export type KnownProduct = {
  readonly name: string
  /** at the middle of the printed part */
  readonly diameter: number
  /** of the body between its rims */
  readonly height: number
  /** usual size of its print or label, along the surface */
  readonly printWidth: number
  readonly printHeight: number
}

/** Usual measures of products on sale; makers differ by a few per cent. */
export const knownProducts = {
  'mug-11oz': { name: '11 oz mug', diameter: 82, height: 95, printWidth: 200, printHeight: 85 },
  'mug-15oz': { name: '15 oz mug', diameter: 86, height: 117, printWidth: 218, printHeight: 106 },
  'tumbler-20oz': { name: '20 oz tumbler', diameter: 74, height: 208, printWidth: 233, printHeight: 205 },
  'can-330ml': { name: '330 ml can', diameter: 66, height: 115, printWidth: 207, printHeight: 92 },
  'bottle-wine': { name: 'Wine bottle, 750 ml', diameter: 75, height: 190, printWidth: 90, printHeight: 120 },
  'bottle-500ml': { name: 'Bottle, 500 ml', diameter: 66, height: 130, printWidth: 200, printHeight: 60 },
  'candle-jar': { name: 'Candle in a jar', diameter: 80, height: 90, printWidth: 70, printHeight: 50 },
} as const satisfies Readonly<Record<string, KnownProduct>>

export type KnownProductId = keyof typeof knownProducts

export function isKnownProduct(name: string): name is KnownProductId {
  return Object.hasOwn(knownProducts, name)
}

/** All ids, for schemas. */
export const knownProductIds: readonly KnownProductId[] = Object.keys(knownProducts).filter(isKnownProduct)
