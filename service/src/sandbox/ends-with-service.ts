/**
 * Loaded before every sandboxed program. Ctrl-C and many supervisors signal a whole process group, but only
 * the service decides when these processes end, by SIGKILL. They exit by themselves if the service is gone.
 */
import process from 'node:process'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))
