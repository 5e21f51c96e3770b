import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../test/servers/child-server.ts'

const program = path.resolve(import.meta.dirname, '../../test/http/serve-process.ts')
const skewedClock = path.resolve(import.meta.dirname, 'skewed-clock.ts')

/** Its log at the end of a start that failed, and the defects in it. */
const KEPT_LOG_CHARACTERS = 20_000

/** On a machine with too much to do, render processes do not start in time. */
const START_ATTEMPTS = 5

export type NodeOptions = {
  readonly dataDir: string
  readonly settings: Readonly<Record<string, string>>
  /** How far its clock is ahead of the others'. */
  readonly clockSkewMs: number
}

/** A node of the cluster: a process that can be killed, or asked to stop, and started again. */
export class ClusterNode {
  readonly port: number
  readonly #options: NodeOptions
  #process: ChildProcess | null = null
  #log = ''

  private constructor(port: number, options: NodeOptions) {
    this.port = port
    this.#options = options
  }

  static async start(options: NodeOptions): Promise<ClusterNode> {
    const node = new ClusterNode(await freePort(), options)
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
    await node.start()
    return node
  }

  /** The end of what it logged. */
  get log(): string {
    return this.#log
  }

  /** Starts it, again where it ends before it is ready, as a supervisor does, and waits until it is ready. */
  async start(): Promise<void> {
    for (let attempt = 1; !(await this.#startOnce()); attempt++)
      if (attempt === START_ATTEMPTS) throw new Error(`A node did not start:\n${this.#log.slice(-2_000)}`)
  }

  /** False where it ended before it was ready. */
  async #startOnce(): Promise<boolean> {
    const { settings, dataDir, clockSkewMs } = this.#options
    const skew = { CLOCK_SKEW_MS: String(clockSkewMs), NODE_OPTIONS: `--import=${skewedClock}` }
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env['PATH'],
        ...settings,
        ...(clockSkewMs === 0 ? {} : skew),
        HOST: '127.0.0.1',
        PORT: String(this.port),
        DATA_DIR: dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = child
    process.once('exit', () => child.kill('SIGKILL'))
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#log = (this.#log + chunk.toString()).slice(-KEPT_LOG_CHARACTERS)
      })
    while (!(await this.#isReady())) {
      if (child.exitCode !== null) return false
      await delay(100)
    }
    return true
  }

  /** `kill -9`, or SIGTERM as an upgrade does; resolves when the process has ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#process
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    child.kill(signal)
    await exit
  }

  async #isReady(): Promise<boolean> {
    return fetch(`http://127.0.0.1:${this.port}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      answer => answer.ok,
      () => false,
    )
  }
}
