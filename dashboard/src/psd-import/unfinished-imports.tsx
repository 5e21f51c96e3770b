/** Photoshop files that became no template yet, with the way back to each. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PsdImport } from '@vitrine/contract'
import { importsQuery } from '../queries/imports-query.ts'

const states: Readonly<Record<PsdImport['state'], string>> = {
  uploading: 'is not sent yet',
  waiting: 'waits for other imports',
  reading: 'is being converted',
  drawing: 'is being converted',
  checking: 'is being converted',
  ready: 'is ready to look at',
  refused: 'cannot be imported as it is',
  failed: 'was not converted',
}

export function UnfinishedImports() {
  const imports = useQuery({ ...importsQuery, refetchInterval: 10_000 }).data?.imports ?? []
  if (imports.length === 0) return null
  return (
    <ul className="faults" aria-label="Imports of Photoshop files">
      {imports.map(({ id, file_name, state }) => (
        <li key={id}>
          <Link to="/imports/$id" params={{ id }}>
            {file_name}
          </Link>{' '}
          {states[state]}. Imports are deleted after an hour.
        </li>
      ))}
    </ul>
  )
}
