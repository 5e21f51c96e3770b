import path from 'node:path'
import { programPaths } from '../sandbox/program-paths.ts'

/** The program that a render process runs. */
export const renderWorkerFile = path.join(import.meta.dirname, 'worker/main.ts')

/** The files that a render process must be able to read to run its program. */
export const renderProgramPaths = programPaths('service/src/mockups')
