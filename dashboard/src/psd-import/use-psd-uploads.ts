import { useSyncExternalStore } from 'react'
import { type PsdUpload, psdUploads } from './psd-uploads.ts'

export const usePsdUploads = (): readonly PsdUpload[] => useSyncExternalStore(psdUploads.subscribe, psdUploads.all)
