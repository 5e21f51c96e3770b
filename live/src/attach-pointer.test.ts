import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { centredCover } from '@vitrine/engine'
import { attachPointer } from './attach-pointer.ts'
import { moved } from './gestures.ts'
import type { PlacementChange } from './placement-values.ts'

/** A scene of 100 x 100 CSS pixels that is covered by its frame. */
class Surface extends EventTarget {
  setPointerCapture(): void {}
  getBoundingClientRect() {
    return { left: 0, top: 0, width: 100, height: 100 }
  }
}

const placement = { ...centredCover, fit: 'contain', x: 0.3, y: 0.3 } as const
const target = {
  placement,
  plane: { toFrame: [1, 0, 0, 0, 1, 0, 0, 0, 1] as const, aspectRatio: 1 },
  move: (by: readonly [number, number], reach: readonly [number, number]) => moved(placement, by, reach),
}

describe('pointers on a scene', () => {
  let surface = new Surface()
  let changes: PlacementChange[] = []
  let rests = 0
  let clicks = 0
  const event = (type: string, x: number, y: number, fields: object = {}) =>
    Object.assign(new Event(type, { cancelable: true }), {
      pointerId: 1,
      pointerType: 'mouse',
      button: 0,
      clientX: x,
      clientY: y,
      ctrlKey: false,
      altKey: false,
      ...fields,
    })
  const send = (type: string, x: number, y: number, fields: object = {}) => {
    const sent = event(type, x, y, fields)
    surface.dispatchEvent(sent)
    return sent
  }
  const finger = (pointerId: number) => ({ pointerId, pointerType: 'touch' })

  beforeEach(() => {
    surface = new Surface()
    changes = []
    rests = 0
    clicks = 0
    // `attachPointer` uses no more of an element.
    attachPointer(surface as unknown as HTMLElement, {
      target: () => target,
      takesFinger: () => false,
      takesWheel: () => true,
      onPlace: change => changes.push(change),
      onRest: () => rests++,
      onClick: () => clicks++,
    })
  })

  it('drag artwork; a press without movement is a click', () => {
    send('pointerdown', 10, 10)
    send('pointermove', 12, 10)
    send('pointerup', 12, 10)
    send('click', 12, 10)
    assert.deepEqual([changes, rests, clicks], [[], 0, 1])
    send('pointerdown', 10, 10)
    send('pointermove', 30, 10)
    send('pointerup', 30, 10)
    send('click', 30, 10)
    assert.deepEqual([changes, rests, clicks], [[{ x: 0.5, y: 0.3 }], 1, 1])
  })

  it('scale with two fingers, move with their midpoint, and end when one is lifted', () => {
    send('pointerdown', 20, 20, finger(1))
    send('pointermove', 40, 20, finger(1))
    assert.deepEqual(changes, [], 'one finger scrolls the page')
    send('pointerdown', 60, 20, finger(2))
    send('pointermove', 80, 20, finger(2))
    assert.deepEqual(changes, [{ x: 0.4, y: 0.3, scale: 2, rotation: 0 }])
    send('pointerup', 80, 20, finger(2))
    send('pointermove', 90, 90, finger(1))
    assert.deepEqual([changes.length, rests], [1, 1])
  })

  it('scale with a wheel, in pixels or lines', () => {
    const pixels = send('wheel', 50, 50, { deltaY: -48, deltaMode: 0 })
    send('wheel', 50, 50, { deltaY: -3, deltaMode: 1 })
    assert.ok(pixels.defaultPrevented)
    assert.deepEqual(changes, [{ scale: 1.101 }, { scale: 1.101 }])
    assert.equal(rests, 0)
    send('pointerdown', 10, 10)
    assert.equal(rests, 1, 'a press ends the wheel’s gesture')
  })
})
