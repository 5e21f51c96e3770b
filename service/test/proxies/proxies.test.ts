import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort, startChildServer } from '../servers/child-server.ts'
import { findHaproxy, findProgram, type Program } from '../servers/debian-program.ts'

const configurations = path.resolve(import.meta.dirname, '../../../deploy/proxies')

type Proxy = {
  readonly find: () => Program | undefined
  readonly file: string
  readonly check: (file: string) => string[]
  readonly run: (file: string) => string[]
  readonly ready: RegExp
  /** Adapts the configuration for tests without root privileges. */
  readonly extend: (text: string, directory: string) => string
}

const proxies = {
  haproxy: {
    find: findHaproxy,
    file: 'haproxy.cfg',
    check: file => ['-c', '-f', file],
    run: file => ['-W', '-db', '-f', file],
    ready: /Loading success/,
    extend: text => text,
  },
  nginx: {
    find: () => findProgram('nginx'),
    file: 'nginx.conf',
    check: file => ['-t', '-c', file],
    run: file => ['-c', file, '-g', 'daemon off;'],
    ready: /start worker process /,
    extend: (text, directory) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        name => `${name}_temp_path ${directory}/${name};`,
      )
      const own = `error_log stderr notice;\npid ${directory}/nginx.pid;\n`
      return own + text.replace('http {', `http {\naccess_log off;\n${temporary.join('\n')}`)
    },
  },
} as const satisfies Record<string, Proxy>

for (const [name, proxy] of Object.entries(proxies)) {
  const program = proxy.find()
  const skip = program === undefined && `${name.toUpperCase()} LEFT OUT: install ${name} to run these tests`
  describe(`${name} before two nodes`, { skip }, () => {
    const nodes: Server[] = []
    let url = ''
    let file = ''
    let stop: () => Promise<void> = async () => undefined

    before(async () => {
      let text = readFileSync(path.join(configurations, proxy.file), 'utf8')
      for (const address of ['10.0.0.11', '10.0.0.12']) {
        const node = createServer((request, response) => {
          response.end(request.url === '/readyz' ? 'ready' : address)
        })
        await new Promise<void>(resolve => node.listen(0, '127.0.0.1', resolve))
        const listening = node.address()
        assert.ok(listening !== null && typeof listening === 'object')
        text = text.replaceAll(`${address}:8080`, `127.0.0.1:${listening.port}`)
        nodes.push(node)
      }
      const port = await freePort()
      text = text.replace('bind :8080', `bind 127.0.0.1:${port}`).replace('listen 8080', `listen 127.0.0.1:${port}`)
      const directory = mkdtempSync(path.join(os.tmpdir(), 'vitrine-proxy-'))
      file = path.join(directory, proxy.file)
      writeFileSync(file, proxy.extend(text, directory))
      assert.ok(program)
      const options = { ...program, args: proxy.run(file), ready: proxy.ready, directory }
      stop = (await startChildServer({ ...options, stopSignal: 'TERM' })).stop
      url = `http://127.0.0.1:${port}`
    })
    after(async () => {
      await stop()
      for (const node of nodes) {
        node.close()
        node.closeAllConnections()
      }
    })

    /** The address of the node that answered. */
    async function ask(template?: string): Promise<string> {
      const headers: Record<string, string> = template === undefined ? {} : { 'X-Vitrine-Template': template }
      const response = await fetch(`${url}/api/v1/mockups/generate`, { method: 'POST', body: 'artwork', headers })
      return response.status === 200 ? response.text() : `status ${response.status}`
    }

    test('the provided configuration is valid', () => {
      assert.ok(program)
      const { status, stderr } = spawnSync(program.command, proxy.check(file), { env: program.env, encoding: 'utf8' })
      assert.equal(status, 0, stderr)
    })

    test('requests for one template reach one node; those for many templates, or none, reach both', async () => {
      const chosen = new Map<string, string>()
      for (let round = 0; round < 3; round++) {
        for (let template = 0; template < 40; template++) {
          const node = await ask(`template-${template}`)
          assert.match(node, /^10\.0\.0\.1[12]$/)
          assert.equal(node, chosen.get(`template-${template}`) ?? node)
          chosen.set(`template-${template}`, node)
        }
      }
      const share = [...chosen.values()].filter(node => node === '10.0.0.11').length
      assert.ok(share >= 8 && share <= 32, `${share} of 40 templates on the first node`)
      const others = new Set<string>()
      for (let i = 0; i < 20; i++) others.add(await ask())
      assert.equal(others.size, 2)
    })

    test('a node that is down is replaced for its templates, and the others stay on their nodes', async () => {
      const before = new Map<string, string>()
      for (let template = 0; template < 20; template++)
        before.set(`template-${template}`, await ask(`template-${template}`))
      nodes[1]?.close()
      nodes[1]?.closeAllConnections()
      while ((await Promise.all([...before.keys()].map(ask))).some(node => node !== '10.0.0.11')) await delay(100)
      const kept = [...before].filter(([, node]) => node === '10.0.0.11')
      for (const [template, node] of kept) assert.equal(await ask(template), node)
    })
  })
}
