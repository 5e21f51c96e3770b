/** Photoshop mockups as template bundles: bytes in, bundle and report out. Runs in Node and in browsers. */

export {
  type FrameChoice,
  type ImportOptions,
  type ImportResult,
  type ImportStep,
  type ImportTools,
  importPsd,
} from './import-psd.ts'
export { describeReport, type FrameReport, type ImportReport } from './import-report.ts'
export { MAX_FILE_BYTES } from './limits.ts'
export type { ImportNote } from './notes.ts'
export { bytesOnDisk, type FileBytes } from './reading/file-bytes.ts'
export { PsdRefusedError } from './refused-error.ts'
