import { useEffect, useState } from 'react'

/** An element begins to load what it was given after the page's scripts have run; it must find it then. */
const VALID_AFTER_MS = 1000

/** An address for a blob, valid as long as the component shows it, and a moment more. */
export function useObjectUrl(blob: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (blob === null) {
      setUrl(null)
      return
    }
    const created = URL.createObjectURL(blob)
    setUrl(created)
    return () => {
      setTimeout(() => URL.revokeObjectURL(created), VALID_AFTER_MS)
    }
  }, [blob])
  return url
}
