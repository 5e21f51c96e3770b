/**
 * Loaded before every test file: ends its process after ten minutes. The runner's `--test-timeout` ends
 * tests, not a process that a server or connection of a failed test keeps alive.
 */
const FILE_MAX_MS = 10 * 60_000

setTimeout(() => {
  console.error(`Expected ${process.argv[1]} to end within ${FILE_MAX_MS / 60_000} minutes.`)
  console.error(`It is kept alive by ${[...new Set(process.getActiveResourcesInfo())].join(', ')}.`)
  process.exit(1)
}, FILE_MAX_MS).unref()
