/** Mockups that are rendered in the background, on every page. What is finished is kept for the day. */
import type { DashboardTemplate } from '@vitrine/contract'
import { ApiError } from '../api.ts'
import { asError } from '../as-error.ts'
import { announce } from '../components/announcer.tsx'
import { keepMockup } from '../kept-work.ts'
import { type MockupWork, mockupKeyOf, renderPatiently } from '../mockups.ts'
import { queryClient } from '../session/session.ts'

const PARALLEL_REQUESTS = 2

export type RenderTask = {
  /** Of the scene with its artwork, on the wall. */
  readonly tile: string
  readonly template: DashboardTemplate
  readonly work: MockupWork
  readonly name: string
}

export type TaskState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'rendering' }
  | { readonly kind: 'done'; readonly blob: Blob }
  | { readonly kind: 'failed'; readonly message: string }

export type RunState = {
  readonly tasks: readonly RenderTask[]
  /** One for each task, in their order. */
  readonly states: readonly TaskState[]
  readonly isRunning: boolean
  /** Why it ended before everything was tried. */
  readonly halt: string | null
}

const noRun: RunState = { tasks: [], states: [], isRunning: false, halt: null }

class RenderRuns {
  #state: RunState = noRun
  #controller = new AbortController()
  readonly #listeners = new Set<() => void>()

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): RunState => this.#state

  /** Renders the tasks; the same picture is charged once in a day. Nothing where one is under way. */
  async start(accountId: string, tasks: readonly RenderTask[]): Promise<void> {
    if (this.#state.isRunning || tasks.length === 0) return
    this.#controller = new AbortController()
    const { signal } = this.#controller
    this.#set({ tasks, states: tasks.map(() => ({ kind: 'waiting' })), isRunning: true, halt: null })
    const waiting = tasks.entries()
    const work = async () => {
      for (const [index, task] of waiting) {
        if (signal.aborted || this.#state.halt !== null) return
        await this.#render(accountId, index, task, signal)
      }
    }
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS }, work))
    if (signal !== this.#controller.signal) return
    this.#set({ ...this.#state, isRunning: false })
    const done = this.#state.states.filter(({ kind }) => kind === 'done').length
    announce(`${done} of ${tasks.length} mockups are ready, in My mockups.`)
    await queryClient.invalidateQueries({ queryKey: ['credits'] })
  }

  /** What is not finished is not paid. */
  stop(): void {
    this.#controller.abort()
  }

  /** Ends a run and forgets it: nobody is signed in. */
  end(): void {
    this.#controller.abort()
    this.#controller = new AbortController()
    this.#set(noRun)
  }

  async #render(accountId: string, index: number, task: RenderTask, signal: AbortSignal): Promise<void> {
    this.#note(index, { kind: 'rendering' })
    try {
      const key = await mockupKeyOf(task.template, task.work)
      const { blob } = await renderPatiently(task.template.id, task.work, { signal, idempotencyKey: key })
      const { id: templateId } = task.template
      await keepMockup(accountId, { key, templateId, name: task.name, blob, madeAtMs: Date.now() }).catch(() =>
        announce('This browser keeps no mockups: download them before you leave.'),
      )
      this.#note(index, { kind: 'done', blob })
    } catch (failure) {
      const { message } = asError(failure)
      if (signal.aborted) this.#note(index, { kind: 'waiting' })
      else this.#note(index, { kind: 'failed', message })
      if (failure instanceof ApiError && (failure.status === 401 || failure.status === 402))
        this.#set({ ...this.#state, halt: message })
    }
  }

  #note(index: number, state: TaskState): void {
    const { states } = this.#state
    if (index < states.length) this.#set({ ...this.#state, states: states.with(index, state) })
  }

  #set(state: RunState): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }
}

/** The one of this document. */
export const renderRuns = new RenderRuns()
