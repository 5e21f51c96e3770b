import process from 'node:process'
import { loadSettings, type Settings } from './load-settings.ts'

/**
 * The settings of this process. This file alone reads its environment.
 * @throws {SettingsError} with every problem at once
 */
export function readProcessSettings(): Settings {
  return loadSettings(process.env)
}

/** Where the system's loader finds libraries beyond its defaults: child processes with an environment of their own need it too. */
export function readLibraryPath(): string | undefined {
  return process.env['LD_LIBRARY_PATH']
}
