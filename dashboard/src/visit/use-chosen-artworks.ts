import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSession } from '../session/session.ts'
import { chosenQuery, isSameFile } from './saved-work.ts'

/** The artworks that every page of the dashboard shows, without duplicates. */
export function useChosenArtworks(): readonly File[] {
  const { account } = useSession()
  const chosen = useQuery(chosenQuery(account.id)).data
  return useMemo(() => {
    const files = chosen?.files ?? []
    return files.filter((file, index) => files.findIndex(each => isSameFile(each, file)) === index)
  }, [chosen])
}
