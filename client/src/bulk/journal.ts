/** One mockup of a run. */
export type Pair = { readonly design: string; readonly template: string }

/** An entry of a journal. */
export type JournalEntry =
  /** The output options of the run. */
  | { readonly type: 'run'; readonly output: string }
  /** A request, recorded before it is sent. */
  | { readonly type: 'batch'; readonly key: string; readonly design: string; readonly templates: readonly string[] }
  /** A saved mockup. */
  | ({ readonly type: 'done' } & Pair)

/** A persistent record of a run's progress. */
export type Journal = {
  /** The entries of earlier runs, in order. */
  readonly read: () => Promise<readonly JournalEntry[]>
  /** Resolves when the entry has been stored. */
  readonly append: (entry: JournalEntry) => Promise<void> | void
}

/** One request of a run. */
export type Task = { readonly key: string; readonly templates: readonly string[] }

/** The state after earlier runs, according to the journal. */
export class Past {
  readonly #done = new Set<string>()
  /** The last request of each mockup. */
  readonly #requests = new Map<string, Task>()
  #output: string | null = null

  constructor(entries: readonly JournalEntry[]) {
    for (const entry of entries) {
      if (entry.type === 'run') this.#output ??= entry.output
      else if (entry.type === 'done') this.#done.add(nameOf(entry))
      else for (const template of entry.templates) this.#requests.set(nameOf({ ...entry, template }), entry)
    }
  }

  /** Null before the first run. */
  get output(): string | null {
    return this.#output
  }

  isDone(pair: Pair): boolean {
    return this.#done.has(nameOf(pair))
  }

  /**
   * The request in progress when an earlier run ended, to be repeated unchanged: it may already have been
   * answered and paid for. Null if no mockup needs it, or a later request contained one of its mockups.
   */
  findUnfinished(pair: Pair): Task | null {
    const task = this.#requests.get(nameOf(pair))
    if (task === undefined || this.isDone(pair)) return null
    const isLast = task.templates.every(
      template => this.#requests.get(nameOf({ design: pair.design, template }))?.key === task.key,
    )
    return isLast ? task : null
  }
}

export const nameOf = ({ design, template }: Pair): string => JSON.stringify([design, template])
