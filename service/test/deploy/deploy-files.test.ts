/** Checks the files of deploy/ against Kubernetes, settings, metrics, HAProxy and promtool. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { loadSettings } from '../../src/settings/load-settings.ts'
import { settingDescriptors } from '../../src/settings/setting-descriptors.ts'
import { checkSettingsFiles } from '../../src/settings/settings-file.ts'
import { TestService } from '../http/test-service.ts'
import { findOnPath } from '../servers/child-server.ts'
import { findHaproxy } from '../servers/debian-program.ts'
import { startRedis } from '../servers/redis.ts'

const root = path.resolve(import.meta.dirname, '../../..')
const deploy = path.join(root, 'deploy')
const read = (file: string): string => readFileSync(path.join(deploy, file), 'utf8')

/** How long requests in progress may take after SHUTDOWN_DELAY_SECONDS. */
const DRAIN_S = 18

/** The module of `kubernetes-types` for each API version that the files use. */
const typeModules: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'autoscaling/v2': 'autoscaling/v2',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
}

const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
const generator = z.looseObject({ name: z.literal('vitrine'), envs: z.tuple([z.string()]) })
const kustomization = z.looseObject({
  resources: z.array(z.string()),
  configMapGenerator: z.tuple([generator]),
  secretGenerator: z.array(generator).default([]),
})

const base = kustomization.parse(parse(read('kubernetes/base/kustomization.yaml')))
const example = kustomization.parse(parse(read('kubernetes/example/kustomization.yaml')))
const objects = base.resources.flatMap(file =>
  parseAllDocuments(read(`kubernetes/base/${file}`)).map(document => {
    assert.deepEqual(document.errors, [], file)
    return object.parse(document.toJS())
  }),
)
const ofKind = (kind: string) => objects.filter(each => each.kind === kind)

/** Type errors of objects by Kubernetes' own types: unknown fields, missing ones, wrong types. */
function checkTypes(checked: readonly z.infer<typeof object>[]): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-kubernetes-'))
  try {
    const lines = checked.map(({ apiVersion, kind, ...rest }, index) => {
      const types = path.join(root, 'node_modules/kubernetes-types', typeModules[apiVersion] ?? `unknown/${apiVersion}`)
      const literal = JSON.stringify({ apiVersion, kind, ...rest })
      return `import type { ${kind} as Kind${index} } from '${types}'\nexport const object${index}: Kind${index} = ${literal}`
    })
    const file = path.join(folder, 'objects.ts')
    writeFileSync(file, lines.join('\n'))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'esnext', '--moduleResolution', 'bundler']
    const tsc = path.join(root, 'node_modules/typescript/bin/tsc')
    const result = spawnSync(process.execPath, [tsc, ...options, '--ignoreConfig', file], {
      encoding: 'utf8',
    })
    return result.stdout + result.stderr
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What the operator must provide. */
const secrets = {
  DATABASE_URL: 'postgres://vitrine:secret@postgres/vitrine',
  REDIS_URL: 'redis://valkey',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  AUTH_SECRET: 'x'.repeat(32),
  METRICS_TOKEN: 'x'.repeat(32),
}

/** Checks the environment of an installation. */
function assertSettings(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(environment))
    assert.ok(Object.hasOwn(settingDescriptors, name), `${name} is a setting`)
  loadSettings({ ...secrets, ...environment })
}

const text = z.record(z.string(), z.string())

test('every file of the Kubernetes base is listed, and conforms to Kubernetes’ types; a misspelt field does not', () => {
  const files = readdirSync(path.join(deploy, 'kubernetes/base')).filter(
    name => name.endsWith('.yaml') && name !== 'kustomization.yaml',
  )
  assert.deepEqual([...base.resources].sort(), files.sort())

  const [deployment] = ofKind('Deployment')
  assert.ok(deployment !== undefined)
  const misspelt = JSON.parse(JSON.stringify(deployment).replace('"readinessProbe"', '"readynessProbe"'))
  // An explanation of an error is indented.
  const errors = checkTypes([...objects, misspelt])
    .split('\n')
    .filter(line => /^\S/.test(line))
  assert.ok(errors.length > 0)
  for (const error of errors) assert.match(error, /readynessProbe/)
})

test('the objects of the base are consistent: names, ports, probes, the time to stop', () => {
  const container = z.looseObject({
    ports: z.tuple([z.object({ name: z.literal('http'), containerPort: z.literal(8080) })]),
    startupProbe: z.looseObject({ httpGet: z.object({ path: z.literal('/healthz'), port: z.literal('http') }) }),
    livenessProbe: z.looseObject({ httpGet: z.object({ path: z.literal('/healthz'), port: z.literal('http') }) }),
    readinessProbe: z.looseObject({ httpGet: z.object({ path: z.literal('/readyz'), port: z.literal('http') }) }),
    securityContext: z.looseObject({ readOnlyRootFilesystem: z.literal(true) }),
    envFrom: z.array(z.looseObject({})),
  })
  const spec = z.object({
    template: z.looseObject({
      spec: z.looseObject({
        terminationGracePeriodSeconds: z.int(),
        securityContext: z.looseObject({ runAsNonRoot: z.literal(true), runAsUser: z.int() }),
        containers: z.tuple([container]),
      }),
    }),
  })
  const deployment = spec.parse(ofKind('Deployment')[0]?.['spec'])
  const { terminationGracePeriodSeconds, securityContext } = deployment.template.spec
  const settings = parseEnv(read('kubernetes/base/settings.env'))
  assert.ok(terminationGracePeriodSeconds >= Number(settings['SHUTDOWN_DELAY_SECONDS']) + DRAIN_S)
  const user = /^USER (\d+):/m.exec(readFileSync(path.join(root, 'Dockerfile'), 'utf8'))?.[1]
  assert.equal(String(securityContext.runAsUser), user)
  for (const each of objects) assert.equal(each.metadata.name, 'vitrine')
  for (const kind of ['PodDisruptionBudget', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'Service'])
    assert.equal(ofKind(kind).length, 1, kind)
})

test('the Kubernetes and compose files have valid settings', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-settings-'))
  try {
    const secretsFile = path.join(folder, 'secrets.env')
    writeFileSync(
      secretsFile,
      Object.entries(secrets)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
    const files = [
      ['base', base],
      ['example', example],
    ] as const
    const settingFiles = files.flatMap(([name, { configMapGenerator }]) =>
      configMapGenerator.map(({ envs: [file] }) => path.join(deploy, 'kubernetes', name, file)),
    )
    assert.ok(checkSettingsFiles([...settingFiles, secretsFile]).includes('PUBLIC_URL'))
  } finally {
    rmSync(folder, { recursive: true })
  }
  assert.deepEqual(
    example.secretGenerator.map(({ envs }) => envs),
    [['secrets.env']],
  )
  const compose = z
    .looseObject({
      'x-node': z.looseObject({ environment: text, stop_grace_period: z.string() }),
      services: z.record(z.string(), z.looseObject({ networks: z.array(z.string()).default([]) })),
    })
    .parse(parse(read('compose/compose.yaml'), { merge: true }))
  const given = new Set([...read('compose/.env.example').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name))
  const environment = Object.fromEntries(
    Object.entries(compose['x-node'].environment).map(([name, value]) => [
      name,
      value.replace(/\$\{([A-Z0-9_]+)(?::-([^}]*)|:\?)?\}/g, (_, variable: string, otherwise?: string) => {
        assert.ok(given.has(variable), `.env.example has ${variable}`)
        return otherwise ?? 'x'.repeat(32)
      }),
    ]),
  )
  assertSettings(environment)
  assert.ok(Number.parseInt(compose['x-node'].stop_grace_period, 10) >= 5 + DRAIN_S)
  for (const service of ['node-1', 'node-2', 'postgres', 'valkey', 's3', 'proxy'])
    assert.ok(Object.hasOwn(compose.services, service), service)
})

test('every metric in the rules, the dashboard and the autoscaler is in /metrics of a node on PostgreSQL and Redis', async () => {
  const redis = await startRedis()
  const service = await TestService.start('postgres', { environment: { REDIS_URL: redis.url } })
  let exposed = ''
  try {
    exposed = await (await fetch(`${service.running.url}/metrics`)).text()
  } finally {
    await service[Symbol.asyncDispose]()
    await redis.stop()
  }
  const types = [...exposed.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const parts = types.flatMap(([, name = '', type]) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  )
  const rules = z
    .object({ groups: z.array(z.looseObject({ rules: z.array(z.looseObject({ expr: z.string() })) })) })
    .parse(parse(read('prometheus/rules.yaml')))
  const adapter = z
    .object({ rules: z.array(z.looseObject({ metricsQuery: z.string(), name: z.object({ as: z.string() }) })) })
    .parse(parse(read('prometheus/adapter.yaml')))
  const dashboard = z
    .looseObject({ panels: z.array(z.looseObject({ targets: z.array(z.looseObject({ expr: z.string() })) })) })
    .parse(JSON.parse(read('grafana/vitrine.json')))
  const expressions = [
    ...rules.groups.flatMap(group => group.rules.map(({ expr }) => expr)),
    ...adapter.rules.map(({ metricsQuery }) => metricsQuery),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  const named = new Set(expressions.flatMap(each => each.match(/\b(?:vitrine|process|nodejs)_\w+/g) ?? []))
  assert.ok(named.size > 25, `${named.size} metrics are named`)
  assert.deepEqual(
    [...named].filter(name => !parts.includes(name)),
    [],
  )
  const scaled = JSON.stringify(ofKind('HorizontalPodAutoscaler'))
  for (const { name } of adapter.rules) assert.ok(scaled.includes(`"${name.as}"`), name.as)
  // The dashboard must have all of the service's own metrics, for the operator.
  const own = types.map(([, name = '']) => name).filter(name => name.startsWith('vitrine_'))
  assert.deepEqual(
    own.filter(name => ![...named].some(each => each.replace(/_(bucket|count|sum)$/, '') === name)),
    [],
  )
})

test('kustomize builds the example, whose nodes restart when settings or secrets change', t => {
  const kubectl = findOnPath('kubectl')
  if (kubectl === undefined) return t.skip('NO KUBECTL: the example is not built with kustomize')
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vitrine-kustomize-'))
  try {
    cpSync(path.join(deploy, 'kubernetes'), folder, { recursive: true })
    const build = (lines: string) => {
      writeFileSync(path.join(folder, 'example/secrets.env'), lines)
      const result = spawnSync(kubectl, ['kustomize', path.join(folder, 'example')], { encoding: 'utf8' })
      assert.equal(result.status, 0, result.stderr)
      const built = parseAllDocuments(result.stdout).map(document => object.parse(document.toJS()))
      return built
    }
    const all = [build('AUTH_SECRET=one\n'), build('AUTH_SECRET=two\n')]
    assert.equal(checkTypes(all.flat()), '')
    const [before = '', after] = all.map(built => JSON.stringify(built.find(({ kind }) => kind === 'Deployment')))
    assert.match(before, /"configMapRef":\{"name":"vitrine-\w+"\}/)
    assert.notEqual(before, after)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('HAProxy accepts the configuration', t => {
  const haproxy = findHaproxy()
  if (haproxy === undefined) return t.skip('NO HAPROXY: its configuration is not checked ("apt-get install haproxy")')
  const env = { ...haproxy.env, LISTEN: '127.0.0.1:1', NODE_1: '127.0.0.1:2', NODE_2: '127.0.0.1:3' }
  const result = spawnSync(haproxy.command, ['-c', '-f', path.join(deploy, 'compose/haproxy.cfg')], {
    encoding: 'utf8',
    env: { ...env, ERROR_FILES: path.join(deploy, 'compose/errors') },
  })
  assert.equal(result.status, 0, result.stderr)
  const [head = '', body = ''] = read('compose/errors/busy.http').split('\r\n\r\n')
  assert.equal(Number(/^Content-Length: (\d+)$/m.exec(head)?.[1]), Buffer.byteLength(body))
  assert.equal(z.looseObject({ code: z.string() }).parse(JSON.parse(body)).code, 'SERVER_BUSY')
})

test('promtool accepts the rules', t => {
  const promtool = findOnPath('promtool')
  if (promtool === undefined) return t.skip('NO PROMTOOL: the rules are not checked ("apt-get install prometheus")')
  const result = spawnSync(promtool, ['check', 'rules', path.join(deploy, 'prometheus/rules.yaml')], {
    encoding: 'utf8',
  })
  assert.equal(result.status, 0, result.stdout + result.stderr)
  assert.ok(existsSync(path.join(deploy, 'prometheus/prometheus.yaml')))
})
