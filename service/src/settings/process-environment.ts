import process from 'node:process'
import { loadSettings, type Settings } from './load-settings.ts'

/**
 * The settings of this process. Only this file reads the environment.
 * @throws {SettingsError} with every problem at once
 */
export function readProcessSettings(): Settings {
  return loadSettings(process.env)
}

/** Folders of libraries beyond the loader's defaults, for child processes with their own environment. */
export function readLibraryPath(): string | undefined {
  return process.env['LD_LIBRARY_PATH']
}
