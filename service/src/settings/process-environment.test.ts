import assert from 'node:assert/strict'
import process from 'node:process'
import { test } from 'node:test'
import { takeProcessSettings } from './process-environment.ts'
import { type SettingDescriptor, settingDescriptors } from './setting-descriptors.ts'

test('reading the settings removes secrets, and nothing else, from the process’s environment', () => {
  const secrets: Readonly<Record<string, string>> = {
    AUTH_SECRET: 'x'.repeat(40),
    METRICS_TOKEN: 'y'.repeat(40),
    STRIPE_SECRET_KEY: 'sk_test_123',
    STRIPE_WEBHOOK_SECRET: 'whsec_123',
  }
  Object.assign(process.env, secrets, { PORT: '8181' })
  const settings = takeProcessSettings()
  assert.partialDeepStrictEqual(settings, { ...secrets, PORT: 8181 })
  const descriptors: readonly [string, SettingDescriptor][] = Object.entries(settingDescriptors)
  for (const [name, { isSecret }] of descriptors)
    if (isSecret === true) assert.equal(process.env[name], undefined, name)
  assert.equal(process.env['PORT'], '8181')
  assert.ok(!JSON.stringify(process.report.getReport()).includes(secrets['STRIPE_SECRET_KEY'] ?? ''))
})
