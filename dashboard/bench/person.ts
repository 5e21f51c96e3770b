import { setTimeout as delay } from 'node:timers/promises'
import type { Point } from '@vitrine/engine'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { createNormalRandom } from '../../photo/bench/normal-random.ts'
import { createRandom } from '../../photo/src/numerics/random.ts'
import { readProcessTimes } from '../../service/bench/process-times.ts'

// How fast somebody works who sees a page for the first time, in seconds.

/** From one action to the next: the eye finds what comes next, and the pointer goes there. */
const betweenActionsS = [0.4, 0.8] as const
/** A sentence or a row of buttons that were not there before, read once. */
const readingS = [0.6, 1] as const
/** A handle or slider is dragged, from press to release. */
const dragS = [0.4, 0.8] as const
/** A finger moves the page by most of a screen, or a wheel turns. */
const SCROLL_S = 0.35
/** A finger rests before it lifts: otherwise the page moves on, and the next tap only stops it. */
const HOLD_S = 0.15
/** A tap or a click, from press to release. */
const PRESS_S = 0.08
/** CSS px per second: a thick brush is drawn without great care. */
const BRUSH_SPEED = 400
/** CSS px: how far from the aim a mouse or a finger with a magnifier stops, as root mean square. */
const POINTING_ERROR_PX = 1.5
/** CSS px: the width of Chromium's thumb of a slider, which stays within its track. */
const THUMB_PX = 16
/** CSS px: more than a finger's movement that still counts as a tap. */
const BEYOND_PX = 24
/** Pointers report some 60 places a second. */
const REPORT_S = 1 / 60
/** Of the window: by how much one movement scrolls. A shorter one is a tap. */
const scrollShares = [0.1, 0.55] as const
/** More than any page needs. */
const MOST_SCROLLS = 24

export type Way = 'mouse' | 'touch'

/** In seconds. */
export type Times = {
  /** By the clock. */
  readonly total: number
  readonly pauses: number
  /** As long as they are meant to last: a busy page takes their events late. */
  readonly gestures: number
  /** Processor time of the browser and the service outside both: the waiting on an idle machine. */
  readonly working: number
}

/** Milliseconds. */
type Moment = { readonly clock: number; readonly working: number }

function now(): Moment {
  const { callerMs, childrenMs } = readProcessTimes(process.pid)
  return { clock: performance.now(), working: callerMs + childrenMs }
}

/** Somebody who works on a page by mouse or by finger, with the time spent on pauses and on gestures. */
export class Person {
  readonly page: Page
  readonly way: Way
  readonly #touch: CDPSession
  readonly #random: () => number
  readonly #normal: () => number
  #begun = now()
  /** What the measurement did, and no person does. */
  #asideMs = 0
  #pausesMs = 0
  #gesturesMs = 0
  /** Processor time during pauses, gestures and what is aside. */
  #besideMs = 0

  private constructor(page: Page, way: Way, touch: CDPSession, seed: number) {
    this.page = page
    this.way = way
    this.#touch = touch
    this.#random = createRandom(seed)
    this.#normal = createNormalRandom(seed)
  }

  static async at(page: Page, way: Way, seed: number): Promise<Person> {
    return new Person(page, way, await page.context().newCDPSession(page), seed)
  }

  /** The clock starts. */
  begin(): void {
    this.#begun = now()
  }

  times(): Times {
    const { clock, working } = now()
    return {
      total: (clock - this.#begun.clock - this.#asideMs) / 1000,
      pauses: this.#pausesMs / 1000,
      gestures: this.#gesturesMs / 1000,
      working: (working - this.#begun.working - this.#besideMs) / 1000,
    }
  }

  /** What the measurement does meanwhile. */
  async aside<Done>(work: () => Promise<Done>): Promise<Done> {
    const begun = now()
    const done = await work()
    const ended = now()
    this.#asideMs += ended.clock - begun.clock
    this.#besideMs += ended.working - begun.working
    return done
  }

  async reads(): Promise<void> {
    await this.#pause(readingS)
  }

  /** Turns to something, and scrolls to it where it is out of sight. */
  async turnsTo(target: Locator): Promise<Point> {
    await target.waitFor()
    await this.#pause(betweenActionsS)
    return this.#reveal(target)
  }

  async presses(target: Locator): Promise<void> {
    const place = await this.turnsTo(target)
    await this.#gesture(PRESS_S, async () => {
      await this.#down(place)
      await delay(PRESS_S * 1000)
      await this.#up()
    })
  }

  /** To a place of the screen, which it misses a little. */
  async drags(handle: Locator, target: () => Promise<Point>): Promise<void> {
    const from = await this.turnsTo(handle)
    await this.#moves([from, this.#near(await target())], this.#between(dragS))
  }

  async setsSlider(slider: Locator, value: number): Promise<void> {
    const [, y] = await this.turnsTo(slider)
    const box = await slider.boundingBox()
    const numberOf = async (name: string): Promise<number> => Number(await slider.getAttribute(name))
    const [least, most] = [await numberOf('min'), await numberOf('max')]
    const at = (of: number): number =>
      (box?.x ?? 0) + THUMB_PX / 2 + (((box?.width ?? 0) - THUMB_PX) * (of - least)) / (most - least)
    const [from, to] = [at(Number(await slider.inputValue())), at(value)]
    // A finger that moves by less than the threshold has tapped: it goes beyond the value, and back.
    const beyond = to + (to < from ? -1 : 1) * (this.way === 'touch' ? BEYOND_PX : 0)
    await this.#moves([[from, y], [beyond, y], this.#near([to, y])], this.#between(dragS))
  }

  /** A line of the brush through places of the screen. */
  async brushes(line: readonly Point[]): Promise<void> {
    const [first] = line
    if (first === undefined) return
    await this.#pause(betweenActionsS)
    await this.#moves(
      line.map(place => this.#near(place)),
      lengthOf(line) / BRUSH_SPEED,
    )
  }

  #between([least, most]: readonly [number, number]): number {
    return least + this.#random() * (most - least)
  }

  async #pause(range: readonly [number, number]): Promise<void> {
    const ms = 1000 * this.#between(range)
    const begun = now()
    await delay(ms)
    this.#pausesMs += ms
    this.#besideMs += now().working - begun.working
  }

  async #gesture(seconds: number, work: () => Promise<void>): Promise<void> {
    const begun = now()
    await work()
    this.#gesturesMs += 1000 * seconds
    this.#besideMs += now().working - begun.working
  }

  #near([x, y]: Point): Point {
    const deviation = POINTING_ERROR_PX / Math.SQRT2
    return [x + deviation * this.#normal(), y + deviation * this.#normal()]
  }

  /** Along a line in some seconds, or as fast as the page takes the events. */
  async #moves(line: readonly Point[], seconds: number, holdS = 0): Promise<void> {
    const [first] = line
    if (first === undefined) return
    await this.#gesture(seconds + holdS, async () => {
      const reports = Math.max(2, Math.ceil(seconds / REPORT_S))
      const along = walker(line)
      await this.#down(first)
      const begun = performance.now()
      for (let i = 1; i <= reports; i++) {
        await delay(Math.max(0, begun + (1000 * seconds * i) / reports - performance.now()))
        await this.#move(along(i / reports))
      }
      await delay(1000 * holdS)
      await this.#up()
    })
  }

  /** Where it is on the screen once it can be reached; scrolls as a person does. */
  async #reveal(target: Locator): Promise<Point> {
    for (let i = 0; i < MOST_SCROLLS; i++) {
      const { middle, free } = await target.evaluate(element => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const shares = [0.5, 0.3, 0.7, 0.1, 0.9, 0.02, 0.98]
        const places = shares.flatMap(y => shares.map(x => [left + x * width, top + y * height] as const))
        const free = places.find(([x, y]) => {
          const hit = element.ownerDocument.elementFromPoint(x, y)
          return hit !== null && element.contains(hit)
        })
        return { middle: top + height / 2, free }
      })
      if (free !== undefined) return free
      await this.#scroll(middle)
    }
    throw new Error(`${target.toString()} cannot be reached by scrolling.`)
  }

  /** Brings a height of the window nearer to its middle. */
  async #scroll(y: number): Promise<void> {
    const { width = 0, height = 0 } = this.page.viewportSize() ?? {}
    const wanted = y - 0.5 * height
    const [least, most] = scrollShares
    const by = Math.sign(wanted) * Math.min(most * height, Math.max(least * height, Math.abs(wanted)))
    await this.#pause(betweenActionsS)
    if (this.way === 'touch') {
      // A finger that starts on the photo may move a frame, or brush.
      const stage = this.page.locator('.stage-view')
      const photo = (await stage.count()) > 0 ? await stage.boundingBox() : null
      const isBeside = (at: number) => photo === null || at < photo.y || at > photo.y + photo.height
      const start = [0.8, 0.65, 0.5, 0.35, 0.2].map(share => share * height).find(isBeside) ?? 0.8 * height
      await this.#moves(
        [
          [width - 24, start],
          [width - 24, start - by],
        ],
        SCROLL_S,
        HOLD_S,
      )
      return
    }
    await this.#gesture(SCROLL_S, async () => {
      await this.page.mouse.wheel(0, by)
      await delay(SCROLL_S * 1000)
    })
  }

  async #down([x, y]: Point): Promise<void> {
    if (this.way === 'touch') return this.#send('touchStart', [x, y])
    await this.page.mouse.move(x, y)
    await this.page.mouse.down()
  }

  async #move([x, y]: Point): Promise<void> {
    if (this.way === 'touch') return this.#send('touchMove', [x, y])
    await this.page.mouse.move(x, y)
  }

  async #up(): Promise<void> {
    if (this.way === 'touch') return this.#send('touchEnd', null)
    await this.page.mouse.up()
  }

  async #send(type: 'touchStart' | 'touchMove' | 'touchEnd', at: Point | null): Promise<void> {
    const touchPoints = at === null ? [] : [{ x: at[0], y: at[1], id: 0 }]
    await this.#touch.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
}

const lengthOf = (line: readonly Point[]): number =>
  line.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - (line[i]?.[0] ?? x), y - (line[i]?.[1] ?? y)), 0)

/** The place after a share of a line's length. */
function walker(line: readonly Point[]): (share: number) => Point {
  const total = lengthOf(line)
  return share => {
    let left = share * total
    for (const [i, to] of line.entries()) {
      const from = line[i - 1] ?? to
      const length = Math.hypot(to[0] - from[0], to[1] - from[1])
      if (left <= length && length > 0)
        return [from[0] + ((to[0] - from[0]) * left) / length, from[1] + ((to[1] - from[1]) * left) / length]
      left -= length
    }
    return line.at(-1) ?? [0, 0]
  }
}
