/**
 * Loaded before every sandboxed program. Ctrl-C and many supervisors signal a whole process group: the
 * service decides when work ends, and ends these processes by SIGKILL. One whose service is gone ends by
 * itself.
 */
import process from 'node:process'

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit(0))
