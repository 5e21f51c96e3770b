/**
 * Zod for the pages. The build resolves `zod` to this module to configure it before the first schema: Zod
 * compiles schemas with `new Function`, which the pages' Content-Security-Policy forbids and reports.
 */
import * as z from 'zod/v4'

z.config({ jitless: true })

export { z }
