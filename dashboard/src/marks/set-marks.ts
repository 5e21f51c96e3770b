import type { InfiniteData } from '@tanstack/react-query'
import type { DashboardTemplate, DashboardTemplateList, TemplateMarks } from '@vitrine/contract'
import { act } from '../api.ts'
import { templateQuery } from '../pages/templates-query.ts'
import { queryClient } from '../session/session.ts'

type Marked = Pick<DashboardTemplate, 'id' | keyof TemplateMarks>

/** Sends one change after the other: of two at once the earlier one could be the last that arrives. */
class ChangeQueue {
  #last: Promise<unknown> = Promise.resolve()

  send(work: () => Promise<unknown>): Promise<unknown> {
    const sent = this.#last.then(work)
    this.#last = sent.catch(() => undefined)
    return sent
  }
}

const changes = new ChangeQueue()

/** Marks a template for the signed-in account. What is shown of it changes at once. @throws ApiError */
export async function setMarks(template: Marked, change: Partial<TemplateMarks>): Promise<void> {
  show(template.id, change)
  try {
    await changes.send(() => act(`/dashboard/api/templates/${template.id}/marks`, change))
  } catch (error) {
    show(template.id, { favourite: template.favourite, tags: template.tags })
    throw error
  }
  // Lists of marked templates, and the tags that there are.
  await queryClient.invalidateQueries({ queryKey: ['templates'] })
}

function show(id: string, change: Partial<TemplateMarks>): void {
  const changed = (template: DashboardTemplate) => (template.id === id ? { ...template, ...change } : template)
  queryClient.setQueriesData<InfiniteData<DashboardTemplateList>>(
    { queryKey: ['templates'] },
    lists =>
      lists && {
        ...lists,
        pages: lists.pages.map(page => ({ ...page, templates: page.templates.map(changed) })),
      },
  )
  queryClient.setQueryData(templateQuery(id).queryKey, template => template && changed(template))
}
