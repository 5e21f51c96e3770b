/** The light or dark theme chosen in this browser; the system's by default. */

export const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const
export type Theme = keyof typeof themes

const STORED_AS = 'theme'

/** The theme with this name; the system's for anything else. */
export const themeOf = (word: string | null): Theme => (word === 'light' || word === 'dark' ? word : 'system')

/** Browsers that store nothing use the system's theme. */
export function chosenTheme(): Theme {
  try {
    return themeOf(localStorage.getItem(STORED_AS))
  } catch {
    return 'system'
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Applies a theme now and at later visits. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  localStorage.setItem(STORED_AS, theme)
}
