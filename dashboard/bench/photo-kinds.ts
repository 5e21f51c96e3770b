import type { Point } from '@vitrine/engine'
import type { Coverage } from '@vitrine/photo'
import { flatCorners } from '../../photo/bench/clicks.ts'
import { type Scene, sceneChoices } from '../../photo/bench/scenes.ts'
import type { PhotoWork } from './photo-work.ts'

/** A kind of template: the photo it is made from, and what somebody does in the editor. */
export type PhotoKind = {
  readonly scene: string
  /** What the product is called on the page that asks. */
  readonly tile: RegExp
  /** The swatch that is chosen, and its colour; null: none. */
  readonly dye: { readonly swatch: string; readonly color: string } | null
  readonly make: (work: PhotoWork, scene: Scene) => Promise<void>
}

const cornerNames = ['Top left corner', 'Top right corner', 'Bottom right corner', 'Bottom left corner'] as const

/** Where the print's corners are on a scene's photo. */
const printCorners = (scene: Scene): readonly Point[] => flatCorners(scene, 0, 1)

const aimsAt = (names: readonly string[], points: readonly Point[]): (readonly [string, Point])[] =>
  points.map((point, i) => [names[i] ?? '', point])

/** The scene's product as far as `isMeant` of a column says. */
function productOf({ part, photo: { widthPx, heightPx } }: Scene, isMeant = (_x: number): boolean => true): Coverage {
  if (part === null) throw new Error('Expected a product that can be brushed over.')
  const data = Uint8Array.from(part.coverage, (share, i) => (isMeant(i % widthPx) ? Math.round(255 * share) : 0))
  return { widthPx, heightPx, data }
}

/** The mug on walnut at 2,000 px, as it is seen: the sides at the rims, and the fronts of both rims. */
const mugPoints: readonly (readonly [string, Point])[] = [
  ['Where the left side meets the top rim', [529, 587]],
  ['Where the right side meets the top rim', [1254, 587]],
  ['Where the right side meets the bottom rim', [1249, 1402]],
  ['Where the left side meets the bottom rim', [536, 1402]],
  ['Front of the top edge', [891, 625]],
  ['Front of the bottom edge', [890, 1485]],
]
/** Right of it is the handle. */
const MUG_RIGHT_PX = 1255

/** The print of the scene's mugs: degrees around the body, and shares of its height. */
const mugPrint = { width: 150, top: 0.08, bottom: 0.88 } as const

/** The cushion's piping, and how much it swells: the guide says to raise both until it looks right. */
const CUSHION_INSET_PX = 11
const CUSHION_BULGE = 0.1

export const photoKinds: Readonly<Record<string, PhotoKind>> = {
  frame: {
    scene: 'oak-frame-portrait',
    tile: /^Flat/,
    dye: null,
    async make(work, scene) {
      const corners = printCorners(scene)
      await work.takesFoundFrame(corners)
      await work.corrects(aimsAt(cornerNames, corners))
      await work.choosesOption('Printed on', 'Paper behind glass')
    },
  },
  mug: {
    scene: 'white-mug-walnut-table',
    tile: /^Round/,
    dye: null,
    async make(work, scene) {
      await work.brushesOver(productOf(scene, x => x < MUG_RIGHT_PX))
      await work.corrects(mugPoints)
      await work.setsSlider('Width of the artwork', mugPrint.width)
      await work.setsSlider('Top edge', mugPrint.top)
      await work.setsSlider('Bottom edge', mugPrint.bottom)
    },
  },
  shirt: {
    scene: 'white-tee-flat-lay',
    tile: /^Clothing/,
    dye: { swatch: 'Navy', color: '#1f2a44' },
    async make(work, scene) {
      await work.brushesOver(productOf(scene))
      await work.corrects(aimsAt(cornerNames, printCorners(scene)))
      await work.choosesDye('Navy')
    },
  },
  cushion: {
    scene: 'square-cushion-sofa',
    tile: /^Soft/,
    dye: null,
    async make(work, scene) {
      await work.brushesOver(productOf(scene))
      await work.corrects(aimsAt(cornerNames, printCorners(scene)))
      await work.setsSlider('Bulge', CUSHION_BULGE)
      await work.setsSlider('Distance from its edge', CUSHION_INSET_PX)
    },
  },
  card: {
    scene: 'greeting-card-standing',
    tile: /^Free shape/,
    dye: null,
    async make(work, scene) {
      const names = ['Point 1 of row 1', 'Point 4 of row 1', 'Point 4 of row 4', 'Point 1 of row 4']
      await work.corrects(aimsAt(names, printCorners(scene)))
      await work.choosesOption('Printed on', 'Paper, canvas, wood')
    },
  },
}

export function sceneOf({ scene }: PhotoKind) {
  const choice = sceneChoices.find(({ id }) => id === scene)
  if (choice === undefined) throw new Error(`Expected a scene ${scene}.`)
  return choice
}
