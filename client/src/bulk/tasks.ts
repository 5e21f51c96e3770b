import { makeKey } from '../vitrine.ts'
import type { Design } from './bulk-types.ts'
import type { Past, Task } from './journal.ts'

/** Templates of one request: as many as the service takes. */
const TEMPLATES_MAX = 12

/** A design with what is left to do of it. */
export type Work = { readonly design: Design; readonly tasks: readonly Task[]; readonly left: number }

export const extensionOf = (format: string | undefined): string => (format === 'png' ? 'png' : 'jpg')

/** Repeats requests that were under way, and makes new ones of what no request has had. */
export function buildTasks(design: string, templates: readonly string[], past: Past): readonly Task[] {
  const repeated = new Map<string, Task>()
  const fresh: string[] = []
  for (const template of templates) {
    const task = past.findUnfinished({ design, template })
    if (task === null || task.templates.some(template => !isWanted(design, template, templates, past)))
      fresh.push(template)
    else repeated.set(task.key, task)
  }
  return [...repeated.values(), ...splitTemplates(fresh)]
}

/** What is in a repeated request must be wanted still, or be done. */
function isWanted(design: string, template: string, templates: readonly string[], past: Past): boolean {
  return templates.includes(template) || past.isDone({ design, template })
}

/** New requests for so many templates. */
export function splitTemplates(templates: readonly string[], size = TEMPLATES_MAX): readonly Task[] {
  const tasks: Task[] = []
  for (let start = 0; start < templates.length; start += size)
    tasks.push({ key: makeKey(), templates: templates.slice(start, start + size) })
  return tasks
}
