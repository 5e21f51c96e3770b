/**
 * Renders mockups in the background, on every page. A run is saved in the browser: after a reload it shows
 * what was rendered and what it cost, and can be resumed.
 */
import { ApiError } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { Observable } from '../components/observable.ts'
import { formatCredits } from '../format.ts'
import { queryClient } from '../session/session.ts'
import { artworkNameOf, mockupKeyOf, renderPatiently } from '../visit/mockups.ts'
import { countTasks, type RenderTask, type TaskState } from '../visit/render-tasks.ts'
import { forgetRun, loadRun, saveMockup, saveRun, saveTaskState } from '../visit/saved-work.ts'
import { sendThumbnail } from '../visit/send-thumbnail.ts'

const PARALLEL_REQUESTS = 2

/** Why a run stopped before every mockup was tried. */
type RunHalt = { readonly message: string; readonly isOutOfCredits: boolean }

type RunState = {
  /** The account that owns the run; null: there is none. */
  readonly accountId: string | null
  readonly tasks: readonly RenderTask[]
  /** One for each task, in order. */
  readonly states: readonly TaskState[]
  readonly isRunning: boolean
  /** The run was in progress when its page was closed or reloaded. */
  readonly isInterrupted: boolean
  readonly halt: RunHalt | null
}

const noRun: RunState = {
  accountId: null,
  tasks: [],
  states: [],
  isRunning: false,
  isInterrupted: false,
  halt: null,
}

class RenderRuns extends Observable {
  #state: RunState = noRun
  #controller = new AbortController()

  readonly read = (): RunState => this.#state

  /** Restores the run that another page of this account left, once no other page is working on it. */
  async restore(accountId: string): Promise<void> {
    if (this.#state.accountId === accountId) return
    await whileAlone(accountId, { isPatient: true }, async () => {
      const kept = await loadRun(accountId)
      if (kept === null || this.#state.accountId === accountId) return
      const states = kept.states.map(interrupted)
      this.#set({ ...noRun, accountId, tasks: kept.tasks, states, isInterrupted: countTasks(states).left > 0 })
    })
  }

  /** Renders the tasks; the same picture is charged once a day. Does nothing if a run is in progress. */
  async start(accountId: string, work: readonly Omit<RenderTask, 'key' | 'run'>[]): Promise<void> {
    if (this.#state.isRunning || work.length === 0) return
    await this.#run(accountId, async () => {
      const run = crypto.randomUUID()
      const tasks = await Promise.all(
        work.map(async task => ({ ...task, run, key: await mockupKeyOf(task.template, task.work) })),
      )
      await saveRun(accountId, tasks).catch(() => announce('This browser cannot store the run: a reload would end it.'))
      this.#set({ ...noRun, accountId, tasks, states: tasks.map(() => ({ kind: 'waiting' })), isRunning: true })
    })
  }

  /** Renders the mockups that are missing. */
  async resume(): Promise<void> {
    const { accountId, isRunning } = this.#state
    if (isRunning || accountId === null) return
    await this.#run(accountId, async () => {
      const states = this.#state.states.map(state => (state.kind === 'failed' ? waiting : state))
      this.#set({ ...this.#state, states, isRunning: true, isInterrupted: false, halt: null })
    })
  }

  /** Mockups that are not finished are not charged. */
  stop(): void {
    this.#controller.abort()
  }

  /** Forgets a finished run. Its mockups stay available for a day. */
  async forget(): Promise<void> {
    const { accountId, isRunning } = this.#state
    if (accountId === null || isRunning) return
    this.#set(noRun)
    await forgetRun(accountId)
  }

  /** Ends the run, after signing out. */
  end(): void {
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#set(noRun)
  }

  async #run(accountId: string, begin: () => Promise<void>): Promise<void> {
    this.#controller = new AbortController()
    const { signal } = this.#controller
    this.#set({ ...this.#state, isRunning: true })
    try {
      const isBegun = await whileAlone(accountId, { isPatient: false }, async () => {
        await begin()
        await this.#work(accountId, signal)
      })
      if (!isBegun) announce('Another page in this browser is rendering. Continue when it has finished.')
    } catch (failure) {
      announce(asError(failure).message)
    } finally {
      if (signal === this.#controller.signal) this.#set({ ...this.#state, isRunning: false })
    }
  }

  async #work(accountId: string, signal: AbortSignal): Promise<void> {
    const left = this.#state.tasks.entries().filter(([index]) => this.#state.states[index]?.kind !== 'done')
    const work = async () => {
      for (const [index, task] of left) {
        if (signal.aborted || this.#state.halt !== null) return
        await this.#render(accountId, index, task, signal)
      }
    }
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work))
    if (signal !== this.#controller.signal) return
    const { done, credits } = countTasks(this.#state.states)
    announce(`${done} of ${this.#state.tasks.length} mockups are in My mockups, for ${formatCredits(credits)}.`)
    await queryClient.invalidateQueries({ queryKey: ['stored-mockups'] })
    await queryClient.invalidateQueries({ queryKey: ['credits'] })
  }

  async #render(accountId: string, index: number, task: RenderTask, signal: AbortSignal): Promise<void> {
    const { key, name, run, template, work } = task
    const artwork = artworkNameOf(work)
    const isAskedAgain = this.#state.states[index]?.kind === 'unknown'
    const note = (state: TaskState) => this.#note(accountId, index, task, state)
    note({ kind: 'rendering' })
    try {
      const once = { signal, idempotencyKey: key, isAskedAgain, note: { name, artwork, run } }
      const { blob, creditsUsed } = await renderPatiently(template.id, work, once)
      const mockup = { key, templateId: template.id, name, artwork, run, blob, madeAtMs: Date.now() }
      await saveMockup(accountId, mockup).catch(() =>
        announce('This browser cannot store mockups: download them before you leave.'),
      )
      void sendThumbnail(mockup)
      note({ kind: 'done', credits: creditsUsed })
    } catch (failure) {
      const { message } = asError(failure)
      const isOutOfCredits = failure instanceof ApiError && failure.status === 402
      const isHalted = isOutOfCredits || (failure instanceof ApiError && failure.status === 401)
      if (isHalted) note(isAskedAgain ? unknown : waiting)
      else note(signal.aborted ? unknown : { kind: 'failed', message })
      if (isHalted && this.#state.tasks[index] === task)
        this.#set({ ...this.#state, halt: { message, isOutOfCredits } })
    }
  }

  #note(accountId: string, index: number, task: RenderTask, state: TaskState): void {
    const { states, tasks } = this.#state
    if (tasks[index] !== task) return
    this.#set({ ...this.#state, states: states.with(index, state) })
    saveTaskState(accountId, index, state).catch(() => undefined)
  }

  #set(state: RunState): void {
    this.#state = state
    this.notify()
  }
}

const waiting = { kind: 'waiting' } satisfies TaskState
const unknown = { kind: 'unknown' } satisfies TaskState

/** The state of a task whose page was closed. */
const interrupted = (state: TaskState): TaskState => (state.kind === 'rendering' ? unknown : state)

/**
 * Runs an action while no other page of this browser works on the account's run. Resolves to false if one
 * does, unless patient. Pages over plain HTTP have no locks: two may request the same mockup, charged once.
 */
async function whileAlone(
  accountId: string,
  { isPatient }: { isPatient: boolean },
  action: () => Promise<void>,
): Promise<boolean> {
  if (!globalThis.isSecureContext) {
    await action()
    return true
  }
  return navigator.locks.request(`vitrine-run ${accountId}`, { ifAvailable: !isPatient }, async lock => {
    if (lock === null) return false
    await action()
    return true
  })
}

/** The only instance of this document. */
export const renderRuns = new RenderRuns()
