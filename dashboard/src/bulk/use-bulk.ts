/** The state of the bulk page: what is chosen, and the run with its results. Both are kept in the browser. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { announce } from '../components/announcer.tsx'
import { defaultOutput } from '../mockups.ts'
import { queryClient } from '../session/session.ts'
import { type BulkHalt, type BulkOutcome, runBulk } from './bulk-run.ts'
import {
  type BulkInputs,
  type BulkRecord,
  forgetRun,
  keepInputs,
  keepOutcome,
  keepRun,
  loadBulk,
} from './bulk-store.ts'
import { type BulkTask, buildTasks } from './bulk-tasks.ts'

export type BulkRun = {
  readonly record: BulkRecord
  readonly tasks: readonly BulkTask[]
  readonly outcomes: ReadonlyMap<number, BulkOutcome>
  readonly running: boolean
  readonly halt: BulkHalt | null
}

const nothing: BulkInputs = { artworks: [], templates: [], output: defaultOutput }

export const tasksOf = ({ artworks, templates, output }: BulkInputs): BulkTask[] =>
  buildTasks(
    artworks,
    templates.map(({ id }) => id),
    output.format,
  )

export function useBulk(accountId: string) {
  const [inputs, setInputs] = useState<BulkInputs | null>(null)
  const [run, setRun] = useState<BulkRun | null>(null)
  const controller = useRef<AbortController | null>(null)
  useEffect(() => {
    let current = true
    loadBulk(accountId).then(
      kept => {
        if (!current) return
        setInputs(kept.run?.record.inputs ?? kept.inputs ?? nothing)
        if (kept.run === undefined) return
        const { record, outcomes } = kept.run
        setRun({ record, outcomes, tasks: tasksOf(record.inputs), running: false, halt: null })
      },
      () => current && setInputs(nothing),
    )
    // Who leaves the page stops the run; what is left waits here.
    return () => {
      current = false
      controller.current?.abort()
    }
  }, [accountId])

  const choose = useCallback(
    (change: (before: BulkInputs) => BulkInputs) =>
      setInputs(before => {
        const after = change(before ?? nothing)
        keepInputs(accountId, after).catch(() => undefined)
        return after
      }),
    [accountId],
  )

  /** Makes what has no mockup yet. */
  const work = async (begun: BulkRun) => {
    const signal = (controller.current = new AbortController()).signal
    const left = begun.tasks.filter(({ index }) => begun.outcomes.get(index)?.kind !== 'done')
    const outcomes = new Map([...begun.outcomes].filter(([, outcome]) => outcome.kind === 'done'))
    const show = (running: boolean, halt: BulkHalt | null) =>
      setRun({ ...begun, outcomes: new Map(outcomes), running, halt })
    show(true, null)
    const {
      runId,
      inputs: { output },
    } = begun.record
    const halt = await runBulk(left, { runId, output, signal }, (task, outcome) => {
      outcomes.set(task.index, outcome)
      keepOutcome(accountId, task.index, outcome).catch(() => undefined)
      show(true, null)
    })
    show(false, halt)
    const done = [...outcomes.values()].filter(({ kind }) => kind === 'done').length
    announce(`The run has ended: ${done} of ${begun.tasks.length} are done.`)
    await queryClient.invalidateQueries({ queryKey: ['credits'] })
  }
  const start = async () => {
    if (inputs === null) return
    const record = { runId: crypto.randomUUID(), inputs }
    await keepRun(accountId, record).catch(() => announce('This browser keeps no run: a reload would lose it.'))
    await work({ record, tasks: tasksOf(inputs), outcomes: new Map(), running: true, halt: null })
  }
  return {
    inputs,
    choose,
    run,
    tasks: useMemo(() => tasksOf(inputs ?? nothing), [inputs]),
    start,
    resume: async () => {
      if (run !== null) await work(run)
    },
    stop: () => controller.current?.abort(),
    clear: async () => {
      await forgetRun(accountId)
      setRun(null)
    },
  }
}
