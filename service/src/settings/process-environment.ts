import process from 'node:process'
import { loadSettings, type Settings } from './load-settings.ts'

/**
 * The settings of this process: the only place that reads its environment.
 * @throws {SettingsError} with every problem at once
 */
export function readProcessSettings(): Settings {
  return loadSettings(process.env)
}
