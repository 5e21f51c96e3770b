import type { InfiniteData } from '@tanstack/react-query'
import type { DashboardTemplate, DashboardTemplateList, TemplateMarks } from '@vitrine/contract'
import { act } from '../api.ts'
import { templateQuery } from '../queries/templates-query.ts'
import { queryClient } from '../session/session.ts'

type Marked = Pick<DashboardTemplate, 'id' | keyof TemplateMarks>

/** Sends changes one after another: of two sent at once, the earlier could arrive last. */
class ChangeQueue {
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  get isEmpty(): boolean {
    return this.#waiting === 0
  }

  send(work: () => Promise<unknown>): Promise<unknown> {
    this.#waiting++
    const sent = this.#last.then(work).finally(() => this.#waiting--)
    this.#last = sent.catch(() => undefined)
    return sent
  }
}

const changes = new ChangeQueue()

/** Query keys of lists that contain templates' marks and all tags. */
const lists = ['templates']

/** Marks a template for the signed-in account and updates the lists at once. @throws ApiError */
export async function setMarks(template: Marked, change: Partial<TemplateMarks>): Promise<void> {
  // A list that is being fetched has the old marks.
  await queryClient.cancelQueries({ queryKey: lists })
  show(template.id, change)
  try {
    await changes.send(() => act(`/dashboard/api/templates/${template.id}/marks`, change))
  } catch (error) {
    show(template.id, { favourite: template.favourite, tags: template.tags })
    throw error
  } finally {
    if (changes.isEmpty) void queryClient.invalidateQueries({ queryKey: lists })
  }
}

function show(id: string, change: Partial<TemplateMarks>): void {
  const changed = (template: DashboardTemplate) => (template.id === id ? { ...template, ...change } : template)
  queryClient.setQueriesData<InfiniteData<DashboardTemplateList>>(
    { queryKey: lists },
    list =>
      list && {
        ...list,
        pages: list.pages.map(page => ({ ...page, templates: page.templates.map(changed) })),
      },
  )
  queryClient.setQueryData(templateQuery(id).queryKey, template => template && changed(template))
}
