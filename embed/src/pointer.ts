/** Pointers, the wheel and keys on the artwork of an element. */
import {
  type Client,
  followed,
  type HandTarget,
  keyChange,
  movedBy,
  type PlacementChange,
  pinched,
  wheeled,
} from '@vitrine/live'

/** A pointer that moves less has pressed, not dragged, in CSS pixels. */
const CLICK_PX = 4
/** A wheel or a key rests for as long before what it did is told to the page as one change. */
const REST_MS = 250

type PointerInput = {
  /** What the pointer takes at a point, or the keys; null while there is nothing to move. */
  readonly target: (at?: Client) => HandTarget | null
  readonly onPlace: (change: PlacementChange) => void
  readonly onRest: () => void
}

type Grab = { readonly from: ReadonlyMap<number, Client>; readonly target: HandTarget }

/** One finger scrolls the page, two fingers move and scale; a mouse or pen drags. */
export function attachPointer(surface: HTMLElement, { target, onPlace, onRest }: PointerInput): void {
  const pointers = new Map<number, PointerEvent>()
  let grab: Grab | null = null
  let hasMoved = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const restLater = () => {
    clearTimeout(timer)
    timer = setTimeout(onRest, REST_MS)
  }
  const hold = (at: Client) => {
    const taken = target(at)
    grab = taken && { from: new Map(pointers), target: taken }
  }
  const leave = ({ pointerId }: PointerEvent) => {
    if (!pointers.delete(pointerId) || grab === null) return
    grab = null
    if (hasMoved) onRest()
  }
  surface.addEventListener('pointerdown', event => {
    if (event.button !== 0) return
    pointers.set(event.pointerId, event)
    hasMoved = false
    if (event.pointerType === 'touch' && pointers.size < 2) return
    for (const id of pointers.keys()) surface.setPointerCapture(id)
    hold(event)
  })
  surface.addEventListener('pointermove', event => {
    const begun = grab?.from.get(event.pointerId)
    if (grab === null || begun === undefined || !pointers.has(event.pointerId)) return
    pointers.set(event.pointerId, event)
    if (!hasMoved && Math.hypot(event.clientX - begun.clientX, event.clientY - begun.clientY) < CLICK_PX) return
    hasMoved = true
    onPlace(
      grab.from.size > 1
        ? { ...pannedBy(grab, pointers, surface), ...pinched(grab.target, grab.from, pointers) }
        : followed(grab.target, begun, event, surface.getBoundingClientRect()),
    )
  })
  surface.addEventListener('pointerup', leave)
  surface.addEventListener('pointercancel', leave)
  surface.addEventListener(
    'wheel',
    event => {
      // A wheel scrolls the page until the picture has the focus; a pinch on a trackpad comes with Control.
      const turned = event.ctrlKey || surface.matches(':focus') ? target(event) : null
      if (turned === null) return
      event.preventDefault()
      onPlace(wheeled(turned.placement, event))
      restLater()
    },
    { passive: false },
  )
  surface.addEventListener('keydown', event => {
    const held = target()
    if (held === null || event.ctrlKey || event.metaKey) return
    const change = keyChange(held.placement, event, (placement, by) => movedBy(placement, held.artwork, by, [0, 0]))
    if (change === null) return
    event.preventDefault()
    onPlace(change)
    restLater()
  })
}

/** Where the middle of two fingers has gone. */
function pannedBy(
  { from, target }: Grab,
  pointers: ReadonlyMap<number, Client>,
  surface: HTMLElement,
): PlacementChange {
  const middleOf = (of: ReadonlyMap<number, Client>): Client => {
    const fingers = [...of.values()]
    const mean = (pick: (finger: Client) => number) =>
      fingers.reduce((sum, each) => sum + pick(each), 0) / fingers.length
    return { clientX: mean(({ clientX }) => clientX), clientY: mean(({ clientY }) => clientY) }
  }
  const now = { ...middleOf(pointers), ctrlKey: false }
  return followed(target, middleOf(from), now, surface.getBoundingClientRect())
}
