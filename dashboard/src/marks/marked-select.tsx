/** Filters the list: all templates, favourites, or templates with a tag. */
import { Select } from '../components/controls.tsx'
import type { Marked } from '../queries/templates-query.ts'

const TAG = 'tag:'

type MarkedSelectProps = Marked & { tags: readonly string[]; onChange: (marked: Marked) => void }

export function MarkedSelect({ show, tag, tags, onChange }: MarkedSelectProps) {
  // A link may name a tag that no longer exists.
  const shown = tag === undefined || tags.includes(tag) ? tags : [...tags, tag]
  return (
    <Select
      label="Show"
      value={tag === undefined ? (show ?? '') : TAG + tag}
      onChange={({ currentTarget: { value } }) =>
        onChange(
          value.startsWith(TAG)
            ? { show: undefined, tag: value.slice(TAG.length) }
            : { show: value === 'favourites' ? value : undefined, tag: undefined },
        )
      }
      options={[
        { value: '', label: 'All templates' },
        { value: 'favourites', label: 'Favourites' },
        ...shown.map(each => ({ value: TAG + each, label: `Tag: ${each}` })),
      ]}
    />
  )
}
