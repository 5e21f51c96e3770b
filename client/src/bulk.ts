export type {
  Design,
  DesignOutput,
  Plan,
  Progress,
  RenderAllOptions,
  Rendered,
  Saver,
  Summary,
} from './bulk/bulk-types.ts'
export type { Journal, JournalEntry, Pair } from './bulk/journal.ts'
export { plan, renderAll } from './bulk/render-all.ts'
