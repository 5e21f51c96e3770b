import { useEffect, useState } from 'react'

/** Elements begin loading only after the page's scripts have run; the URL must still be valid then. */
const VALID_AFTER_MS = 1000

/** An object URL for a blob, valid while the component shows it and a moment longer. */
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
