import process from 'node:process'
import { loadSettings, type Settings } from './load-settings.ts'
import { type SettingDescriptor, settingDescriptors } from './setting-descriptors.ts'

/**
 * The settings of this process. Only this file reads the environment.
 * @throws {SettingsError} with every problem at once
 */
export function readProcessSettings(): Settings {
  return loadSettings(process.env)
}

/**
 * Reads the settings and removes the secrets from the environment, so that they are in no diagnostic report
 * and no child process. The original environment stays readable in /proc, which does not affect secrets in
 * files.
 * @throws {SettingsError} with every problem at once
 */
export function takeProcessSettings(): Settings {
  const settings = readProcessSettings()
  const descriptors: readonly [string, SettingDescriptor][] = Object.entries(settingDescriptors)
  for (const [name, { isSecret }] of descriptors) if (isSecret === true) delete process.env[name]
  return settings
}

/** Library folders in addition to the loader's defaults, for child processes with their own environment. */
export function readLibraryPath(): string | undefined {
  return process.env['LD_LIBRARY_PATH']
}

/** The service for commands that are clients of one, if the environment sets it. */
export function readServiceAddress(): string | undefined {
  return process.env['VITRINE_URL'] || undefined
}
