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
 * The settings, whose secrets are then no variables of this process any more: not in a diagnostic report, and
 * in no child's environment. What it was started with stays in /proc, but for secrets in files.
 * @throws {SettingsError} with every problem at once
 */
export function takeProcessSettings(): Settings {
  const settings = readProcessSettings()
  const descriptors: readonly [string, SettingDescriptor][] = Object.entries(settingDescriptors)
  for (const [name, { isSecret }] of descriptors) if (isSecret === true) delete process.env[name]
  return settings
}

/** Folders of libraries beyond the loader's defaults, for child processes with their own environment. */
export function readLibraryPath(): string | undefined {
  return process.env['LD_LIBRARY_PATH']
}

/** The service of the commands that are clients of one, if the environment names it. */
export function readServiceAddress(): string | undefined {
  return process.env['VITRINE_URL'] || undefined
}
