import { execFile, execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, statfs } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MIB = 1024 * 1024

/** Remounts the disk for each size that it reads: forks of a large test process would take longer. */
const RESIZE = 'while read -r size; do mount -o "remount,size=$size" "$0" && echo set || echo refused; done 2>/dev/null'

/** A disk in memory: a separate file system whose size a test changes while it is in use. */
export type SmallDisk = AsyncDisposable & {
  readonly folder: string
  /** Leaves this much free space. */
  setFreeBytes(freeBytes: number): Promise<void>
}

/** False, or why no such disk can be made: only root may mount one, on Linux. */
export function whyNoSmallDisk(): false | string {
  const reason = 'FULL DISK LEFT OUT: run the tests as root on Linux to mount a small disk'
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return reason
  try {
    // In a separate mount namespace, which ends with it.
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'vitrine-test', '/mnt'], {
      stdio: 'ignore',
    })
    return false
  } catch {
    return reason
  }
}

export async function mountSmallDisk(freeBytes = 1024 * MIB): Promise<SmallDisk> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${freeBytes},mode=0700`, 'vitrine-test', folder])
  const shell = spawn('sh', ['-c', RESIZE, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: shell.stdout })[Symbol.asyncIterator]()
  return {
    folder,
    async setFreeBytes(freeBytes) {
      for (let attempt = 1; ; attempt++) {
        const { blocks, bfree, bsize } = await statfs(folder)
        const sizeBytes = (blocks - bfree) * bsize + freeBytes
        shell.stdin.write(`${sizeBytes}\n`)
        const { value } = await answers.next()
        if (value === 'set') return
        // More was written meanwhile than would fit.
        if (attempt === 50) throw new Error(`the disk was not resized: ${String(value)}`)
      }
    },
    async [Symbol.asyncDispose]() {
      shell.stdin.end()
      // Lazy: a file may still be closing.
      await run('umount', ['-l', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
