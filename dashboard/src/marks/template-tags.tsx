/** The tags of a template. Each links to the templates that have it and can be removed. */
import './template-tags.css'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type DashboardTemplate, limits } from '@vitrine/contract'
import { type FormEvent, useId, useRef, useState } from 'react'
import { asError } from '../as-error.ts'
import { announceUnseen } from '../components/announcer.tsx'
import { SmallButton } from '../components/controls.tsx'
import { Failure } from '../components/states.tsx'
import { templatesQuery } from '../queries/templates-query.ts'
import { setMarks } from './set-marks.ts'

type TemplateTagsProps = { template: Pick<DashboardTemplate, 'id' | 'favourite' | 'tags'> }

export function TemplateTags({ template }: TemplateTagsProps) {
  const { tags } = template
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<Error | null>(null)
  const known = useInfiniteQuery(templatesQuery({})).data?.pages[0]?.tags ?? []
  const change = async (changed: readonly string[], told: string) => {
    setError(null)
    try {
      await setMarks(template, { tags: changed })
      announceUnseen(told)
    } catch (failure) {
      setError(asError(failure))
    }
  }
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const { current } = input
    const tag = current?.value.trim() ?? ''
    if (current === null || tag === '') return
    current.value = ''
    if (!tags.includes(tag)) void change([...tags, tag], `Added the tag ${tag}.`)
  }
  const removeTag = (tag: string) => {
    void change(
      tags.filter(each => each !== tag),
      `Removed the tag ${tag}.`,
    )
    input.current?.focus()
  }
  return (
    <div className="stack-small">
      <div className="tags">
        {tags.length > 0 && (
          <ul className="tags" aria-label="Tags">
            {tags.map(tag => (
              <li key={tag} className="tag">
                <Link to="/templates" search={{ tag }}>
                  {tag}
                </Link>
                <button type="button" onClick={() => removeTag(tag)} aria-label={`Remove the tag ${tag}`}>
                  ×
                </button>
              </li>
            ))}
          </ul>
        )}
        {tags.length < limits.templateTagsMax && (
          <form className="tags" onSubmit={add}>
            <input
              ref={input}
              className="tag-input"
              aria-label="New tag"
              placeholder="Add a tag"
              list={id}
              maxLength={limits.templateTagCharactersMax}
            />
            <datalist id={id}>
              {known
                .filter(tag => !tags.includes(tag))
                .map(tag => (
                  <option key={tag} value={tag} />
                ))}
            </datalist>
            <SmallButton label="Add" of="the tag" type="submit" />
          </form>
        )}
      </div>
      {error !== null && <Failure error={error} />}
    </div>
  )
}
