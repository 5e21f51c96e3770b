/** Every value of a drawing that is dragged: its texts, its range and step, and which frames have it. */
import { knownProducts, MAX_LENS, MOST_TURN } from '@vitrine/photo'
import type { PhotoDraft, PhotoFrame, PrintArea } from './photo-draft.ts'

export type SliderOf<Of> = {
  /** Consecutive changes are undone together. */
  readonly name: string
  readonly label: string
  readonly from: number
  readonly to: number
  readonly step: number
  /** Null: this one has no such value. */
  readonly read: (of: Of) => number | null
  readonly write: (of: Of, value: number) => Of
  /** The value as it is shown and read aloud. */
  readonly words: (value: number, of: Of) => string
  readonly help?: string
}

/** With a value, limited to the range. */
export const withValue = <Of>({ from, to, write }: SliderOf<Of>, of: Of, value: number): Of =>
  Number.isFinite(value) ? write(of, Math.min(to, Math.max(from, value))) : of

const percent = (share: number): string => `${Math.round(share * 100)} %`
const degrees = (angle: number): string => `${Math.round(angle)}°`

const clothOf = ({ shape }: PhotoFrame) => (shape.kind === 'cloth' ? shape : null)
const printOf = ({ shape }: PhotoFrame) => (shape.kind === 'body' ? shape.print : null)

function withCloth(frame: PhotoFrame, part: { readonly bulge?: number; readonly inset?: number }): PhotoFrame {
  const cloth = clothOf(frame)
  return cloth === null ? frame : { ...frame, shape: { ...cloth, ...part } }
}

function withPrint(frame: PhotoFrame, change: (print: PrintArea) => Partial<PrintArea>): PhotoFrame {
  const { shape } = frame
  if (shape.kind !== 'body' || shape.print === null) return frame
  return { ...frame, shape: { ...shape, print: { ...shape.print, ...change(shape.print) } } }
}

const widthOf = ({ left, right }: PrintArea): number => right - left
const turnOf = ({ left, right }: PrintArea): number => (left + right) / 2
const around = (width: number, middle: number) => ({ left: middle - width / 2, right: middle + width / 2 })

/** Of the height of a body: a print is no lower. */
const LEAST_PRINT_HEIGHT = 0.05

/** Of the photo's longer side: the widest margin between artwork and an edge. */
const INSET_MOST_SHARE = 0.06

/** Where the artwork lies on its product, by the photo's size. */
export const shapeSliders = (size: Pick<PhotoDraft, 'widthPx' | 'heightPx'>): readonly SliderOf<PhotoFrame>[] => [
  {
    name: 'width',
    label: 'Width of the artwork',
    from: 20,
    to: 360,
    step: 2,
    read: frame => mapped(printOf(frame), widthOf),
    write: (frame, width) => withPrint(frame, print => around(width, turnOf(print))),
    words: (width, { shape }) => {
      const measures = shape.kind === 'body' ? shape.measures : null
      const mm = measures && Math.round((knownProducts[measures].diameter * Math.PI * width) / 360)
      return `${degrees(width)}${mm === null ? '' : `, ${mm} mm`}`
    },
    help: 'Around the product. The camera sees some 140°.',
  },
  {
    name: 'turn',
    label: 'Turned by',
    from: -MOST_TURN,
    to: MOST_TURN,
    step: 1,
    read: frame => mapped(printOf(frame), turnOf),
    write: (frame, turn) => withPrint(frame, print => around(widthOf(print), turn)),
    words: degrees,
  },
  {
    name: 'top',
    label: 'Top edge',
    from: 0,
    to: 0.9,
    step: 0.01,
    read: frame => mapped(printOf(frame), ({ top }) => top),
    write: (frame, top) =>
      withPrint(frame, ({ bottom }) => ({ top: Math.max(0, Math.min(top, bottom - LEAST_PRINT_HEIGHT)) })),
    words: top => `${percent(top)} down`,
  },
  {
    name: 'bottom',
    label: 'Bottom edge',
    from: 0.1,
    to: 1,
    step: 0.01,
    read: frame => mapped(printOf(frame), ({ bottom }) => bottom),
    write: (frame, bottom) =>
      withPrint(frame, ({ top }) => ({ bottom: Math.min(1, Math.max(bottom, top + LEAST_PRINT_HEIGHT)) })),
    words: bottom => `${percent(bottom)} down`,
  },
  {
    name: 'bulge',
    label: 'Bulge',
    from: -0.3,
    to: 0.3,
    step: 0.01,
    read: frame => mapped(clothOf(frame), ({ bulge }) => bulge),
    write: (frame, bulge) => withCloth(frame, { bulge }),
    words: percent,
    help: 'How much the middle swells towards the camera, as a cushion does.',
  },
  {
    name: 'inset',
    label: 'Distance from its edge',
    from: 0,
    to: Math.round(INSET_MOST_SHARE * Math.max(size.widthPx, size.heightPx)),
    step: 1,
    read: frame => clothOf(frame)?.inset ?? null,
    write: (frame, inset) => withCloth(frame, { inset }),
    words: inset => `${Math.round(inset)} px`,
    help: 'So that artwork ends before the seam or the piping.',
  },
]

/** How the light of the photo falls on the artwork. */
export const lightSliders: readonly SliderOf<PhotoFrame>[] = [
  {
    name: 'brightness',
    label: 'Brightness of prints',
    from: -2,
    to: 2,
    step: 0.05,
    read: ({ color, brightness }) => (color === null ? Math.log2(brightness) : null),
    write: (frame, value) => ({ ...frame, brightness: Number((2 ** value).toFixed(3)) }),
    words: value => `${(2 ** value).toFixed(2)} x`,
    help: 'On dark and coloured products: until white artwork looks as bright as a print would.',
  },
  {
    name: 'gloss',
    label: 'Gloss',
    from: 0,
    to: 4,
    step: 0.1,
    read: ({ color, gloss }) => (color === null ? null : gloss),
    write: (frame, gloss) => ({ ...frame, gloss }),
    words: gloss => `${gloss.toFixed(1)} x`,
    help: 'Light that the surface mirrors lies above dark colours of the artwork.',
  },
]

/** What the camera did to the photo. */
export const cameraSliders: readonly SliderOf<PhotoDraft>[] = [
  {
    name: 'lens',
    label: 'Lens',
    from: -MAX_LENS,
    to: MAX_LENS,
    step: 0.005,
    read: ({ lens }) => lens,
    write: (draft, lens) => ({ ...draft, lens }),
    words: lens =>
      lens === 0 ? 'straight' : `${lens > 0 ? 'barrel' : 'pincushion'} ${Math.abs(lens * 100).toFixed(1)} %`,
    help: 'Until the edges of the grid lie along straight edges of the product.',
  },
]

const mapped = <From>(from: From | null, map: (from: From) => number): number | null =>
  from === null ? null : map(from)
