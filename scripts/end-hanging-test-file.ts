/**
 * Loaded before every test file: ends its process after some time. The runner's `--test-timeout` ends
 * tests, not a process that a server or connection of a failed test keeps alive.
 */
import { PROCESS_MAX_MS } from './test-order.ts'

setTimeout(() => {
  console.error(`Expected ${process.argv[1]} to end within ${PROCESS_MAX_MS / 60_000} minutes.`)
  console.error(`It is kept alive by ${[...new Set(process.getActiveResourcesInfo())].join(', ')}.`)
  process.exit(1)
}, PROCESS_MAX_MS).unref()
