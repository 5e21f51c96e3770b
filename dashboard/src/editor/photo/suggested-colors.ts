/** Usual colours of products, for the swatches of a part that was brushed over. */
import type { SurfaceName } from '@vitrine/photo'
import type { Swatch } from '../../coloring/product-colors.ts'

/** Of shirts, as print shops stock them. */
const fabrics: readonly Swatch[] = [
  { name: 'White', value: '#ffffff' },
  { name: 'Natural', value: '#f1e8d6' },
  { name: 'Sand', value: '#d9c6a5' },
  { name: 'Heather Grey', value: '#b4b5b8' },
  { name: 'Charcoal', value: '#4b4c50' },
  { name: 'Black', value: '#1d1d20' },
  { name: 'Navy', value: '#1f2a44' },
  { name: 'Royal', value: '#24499b' },
  { name: 'Light Blue', value: '#a9c6e3' },
  { name: 'Forest', value: '#224534' },
  { name: 'Military Green', value: '#5c5f42' },
  { name: 'Red', value: '#b3202c' },
  { name: 'Maroon', value: '#5b1f2b' },
  { name: 'Soft Pink', value: '#eec6cb' },
]

/** Of glazes, lacquers and coated paper. */
const hard: readonly Swatch[] = [
  { name: 'White', value: '#ffffff' },
  { name: 'Cream', value: '#f2e6cd' },
  { name: 'Sand', value: '#d2bd9c' },
  { name: 'Grey', value: '#9a9c9f' },
  { name: 'Black', value: '#1b1b1d' },
  { name: 'Navy', value: '#1e2b4d' },
  { name: 'Sky Blue', value: '#9cc3dd' },
  { name: 'Teal', value: '#2b7478' },
  { name: 'Sage', value: '#a3b298' },
  { name: 'Yellow', value: '#efc444' },
  { name: 'Red', value: '#b0252b' },
  { name: 'Pink', value: '#eab9c0' },
]

export const suggestedColors = (surface: SurfaceName): readonly Swatch[] => (surface === 'fabric' ? fabrics : hard)
