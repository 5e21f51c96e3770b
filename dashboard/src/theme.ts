/** Light or dark, as the reader of this browser wants it: by the system where nothing else is chosen. */

export const themes = { system: 'As the system', light: 'Light', dark: 'Dark' } as const
export type Theme = keyof typeof themes

const STORED_AS = 'theme'

/** The theme that a word names; by the system for any other word. */
export const themeOf = (word: string | null): Theme => (word === 'light' || word === 'dark' ? word : 'system')

/** Browsers that store nothing have the system's. */
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

/** Applies a theme now and at every later visit. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  localStorage.setItem(STORED_AS, theme)
}
