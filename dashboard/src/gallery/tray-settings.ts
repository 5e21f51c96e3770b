/** The settings of rendering: sizes, format, names. Saved in this browser for each account. */
import { outputFormatNames } from '@vitrine/contract'
import { useState } from 'react'
import { z } from 'zod'
import { channelIds } from './channel-sizes.ts'
import { DEFAULT_NAME_PATTERN, faultOfPattern } from './mockup-names.ts'

const traySettings = z.object({
  sizes: z.array(z.enum(channelIds)).min(1),
  format: z.enum(outputFormatNames),
  namePattern: z.string().refine(pattern => faultOfPattern(pattern) === null),
})
export type TraySettings = z.infer<typeof traySettings>

const begin: TraySettings = { sizes: ['etsy'], format: 'jpeg', namePattern: DEFAULT_NAME_PATTERN }

const storedAs = (accountId: string): string => `tray ${accountId}`

function loadSettings(accountId: string): TraySettings {
  try {
    return traySettings.parse(JSON.parse(localStorage.getItem(storedAs(accountId)) ?? ''))
  } catch {
    // Nothing is saved, or an older version of the pages saved it.
    return begin
  }
}

export function useTraySettings(accountId: string) {
  const [settings, setSettings] = useState(() => loadSettings(accountId))
  const change = (changed: TraySettings) => {
    setSettings(changed)
    try {
      localStorage.setItem(storedAs(accountId), JSON.stringify(changed))
    } catch {
      // A browser that saves nothing has them until the page is closed.
    }
  }
  return [settings, change] as const
}
