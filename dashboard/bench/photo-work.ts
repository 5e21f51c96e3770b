import type { Point } from '@vitrine/engine'
import type { Coverage } from '@vitrine/photo'
import type { Locator, Page } from 'playwright-core'
import { brushLines } from './brush-lines.ts'
import type { Person } from './person.ts'

/** CSS px: a handle that is off by more is seen to be off, and dragged. */
const SEEN_PX = 3

/** Of the photo's longer side: the radius that brushes begin with. */
const BRUSH_SHARE = 0.028

type Aim = readonly [handle: string, at: Point]

/** What somebody does in the editor of photos. Points are in the photo's pixels. */
export class PhotoWork {
  readonly #person: Person
  readonly #page: Page
  readonly #widthPx: number
  readonly #log: (line: string) => void

  constructor(person: Person, widthPx: number, log: (line: string) => void) {
    this.#person = person
    this.#page = person.page
    this.#widthPx = widthPx
    this.#log = log
  }

  /** From the chosen file to the editor. */
  async opens(tile: RegExp): Promise<void> {
    const kind = this.#page.getByRole('button', { name: tile })
    await this.#waits('what is it', kind.waitFor())
    await this.#person.reads()
    await this.#person.presses(kind)
    const photo = this.#page.getByRole('img', { name: 'The photo that becomes the scene' })
    await this.#waits('the editor', photo.waitFor())
    await this.#person.reads()
  }

  async saves(name: string): Promise<void> {
    await this.#person.presses(this.#page.getByRole('button', { name: 'Save template' }))
    await this.#waits('saved', this.#page.getByRole('heading', { level: 1, name }).waitFor())
  }

  /** Takes the offered area that is nearest to four corners. */
  async takesFoundFrame(corners: readonly Point[]): Promise<void> {
    const found = this.#page.locator('.found-frame')
    await this.#waits('areas', found.first().waitFor())
    await this.#person.reads()
    const paths = await found.evaluateAll(elements => elements.map(element => element.getAttribute('d') ?? ''))
    const misses = paths.map(path => {
      const [outer = ''] = path.slice(1).split('Z')
      const quad = outer.split(' ').map((pair: string) => pair.split(',').map(Number))
      return Math.max(...corners.map(([x, y], i) => Math.hypot(x - (quad[i]?.[0] ?? 0), y - (quad[i]?.[1] ?? 0))))
    })
    const nearest = misses.indexOf(Math.min(...misses))
    this.#log(`${paths.length} areas offered, off by at most ${misses.map(miss => miss.toFixed(1)).join(', ')} px`)
    await this.#person.presses(found.nth(nearest))
    await this.#handle('Top left corner').waitFor()
  }

  /** Drags the handles that are seen to be off. */
  async corrects(aims: readonly Aim[]): Promise<void> {
    await this.#person.reads()
    for (const [name, at] of aims) {
      const handle = this.#handle(name)
      const [x = 0, y = 0] = ((await handle.getAttribute('aria-valuetext')) ?? '').split(', ').map(Number)
      const [missX, missY] = [at[0] - x, at[1] - y]
      const toScreen = await this.#toScreen()
      const [from, to] = [toScreen([x, y]), toScreen(at)]
      const isSeen = Math.hypot(to[0] - from[0], to[1] - from[1]) > SEEN_PX
      this.#log(`${name}: off by ${missX.toFixed(1)}, ${missY.toFixed(1)} px${isSeen ? ', dragged' : ''}`)
      if (isSeen) await this.#person.drags(handle, async () => (await this.#toScreen())(at))
    }
  }

  async brushesOver(product: Coverage): Promise<void> {
    const { widthPx, heightPx } = product
    await this.#person.presses(this.#page.getByRole('button', { name: /^Find its place by a brush/ }))
    await this.#page.getByRole('group', { name: 'Brush', exact: true }).waitFor()
    await this.#person.reads()
    const toScreen = await this.#toScreen()
    for (const line of brushLines(product, BRUSH_SHARE * Math.max(widthPx, heightPx)))
      await this.#person.brushes(line.map(toScreen))
    await this.#waits('the outline', this.#page.locator('.brush-edge').first().waitFor())
    await this.#person.reads()
    await this.#person.presses(this.#page.getByRole('button', { name: 'Done', exact: true }))
    await this.#page
      .getByText(/^The frame lies /)
      .first()
      .waitFor()
    await this.#person.reads()
  }

  async setsSlider(name: string, value: number): Promise<void> {
    const slider = this.#page.getByRole('slider', { name: new RegExp(`^${name}: `) })
    await this.#person.setsSlider(slider, value)
    this.#log(`${name}: ${await slider.getAttribute('aria-valuetext')}`)
  }

  async choosesOption(field: string, option: string): Promise<void> {
    const select = this.#page.getByLabel(field, { exact: true })
    await this.#person.turnsTo(select)
    await this.#person.reads()
    // The opened list belongs to the system, and is not in the page.
    await select.selectOption(option)
  }

  async choosesDye(swatch: string): Promise<void> {
    const label = this.#page.locator('label.swatch', { hasText: new RegExp(`^${swatch}$`) })
    await this.#person.presses(label)
    await label.locator('input:checked').waitFor({ state: 'attached' })
  }

  /** Until the picture shows what was done last, and looks at it. */
  async looks(): Promise<void> {
    const badge = this.#page.getByText(/^(Drawing|Refining the light)…$/)
    await this.#waits('the picture', badge.waitFor({ state: 'detached' }))
    await this.#person.reads()
  }

  /** Logs a wait by the clock, and the processor time meanwhile. */
  async #waits(what: string, shown: Promise<void>): Promise<void> {
    const before = this.#person.times()
    await shown
    const { total, working } = this.#person.times()
    const [clock, cpu] = [total - before.total, working - before.working]
    this.#log(`waits for ${what}: ${clock.toFixed(1)} s, processor time ${cpu.toFixed(1)} s`)
  }

  #handle(name: string): Locator {
    return this.#page.getByRole('slider', { name: `${name} of frame 1`, exact: true })
  }

  /** Where a point of the photo is on the screen now. */
  async #toScreen(): Promise<(point: Point) => Point> {
    const box = await this.#page.getByRole('img', { name: 'The photo that becomes the scene' }).boundingBox()
    if (box === null) throw new Error('The photo is not shown.')
    const scale = box.width / this.#widthPx
    return ([x, y]) => [box.x + x * scale, box.y + y * scale]
  }
}
