import { accountsAndLedger } from './migrations/0001-accounts-and-ledger.ts'
import { usageAndLimits } from './migrations/0002-usage-and-limits.ts'
import { templates } from './migrations/0003-templates.ts'
import { firstRun } from './migrations/0004-first-run.ts'
import { signIn } from './migrations/0005-sign-in.ts'
import { templateLooks } from './migrations/0006-template-looks.ts'
import { purchasesAmongMovements } from './migrations/0007-purchases-among-movements.ts'
import { creditsByDay } from './migrations/0008-credits-by-day.ts'
import { audit } from './migrations/0009-audit.ts'
import { templateSizes } from './migrations/0010-template-sizes.ts'
import { keyLimits } from './migrations/0011-key-limits.ts'
import { templateIds } from './migrations/0012-template-ids.ts'
import { severalNodes } from './migrations/0013-several-nodes.ts'
import { walletOperations } from './migrations/0014-wallet-operations.ts'
import { largeLists } from './migrations/0015-large-lists.ts'
import { usageSums } from './migrations/0016-usage-sums.ts'
import { keptTotalsAndLeases } from './migrations/0017-kept-totals-and-leases.ts'
import { keyExpiryMails } from './migrations/0020-key-expiry-mails.ts'
import { ledgerArchive } from './migrations/0021-ledger-archive.ts'
import { templateColors } from './migrations/0022-template-colors.ts'
import { answerLinks } from './migrations/0023-answer-links.ts'
import { publishableKeys } from './migrations/0024-publishable-keys.ts'
import { requestLog } from './migrations/0025-request-log.ts'
import { templateSlots } from './migrations/0026-template-slots.ts'
import { walls } from './migrations/0027-walls.ts'
import { psdImports } from './migrations/0028-psd-imports.ts'
import { sumsFromIndexes } from './migrations/0029-sums-from-indexes.ts'
import { templateMarks } from './migrations/0030-template-marks.ts'
import { wallRooms } from './migrations/0031-wall-rooms.ts'
import { psdImportParts } from './migrations/0033-psd-import-parts.ts'
import { wallStills } from './migrations/0034-wall-stills.ts'
import { storedMockups } from './migrations/0035-stored-mockups.ts'
import { publishableKeysByTime } from './migrations/0036-publishable-keys-by-time.ts'
import { templateVersions } from './migrations/0037-template-versions.ts'
import type { Migration } from './migrations/migration.ts'

/** Every migration, in order. */
export const migrations: readonly Migration[] = [
  accountsAndLedger,
  usageAndLimits,
  templates,
  firstRun,
  signIn,
  templateLooks,
  purchasesAmongMovements,
  creditsByDay,
  audit,
  templateSizes,
  keyLimits,
  templateIds,
  severalNodes,
  walletOperations,
  largeLists,
  usageSums,
  keptTotalsAndLeases,
  keyExpiryMails,
  ledgerArchive,
  templateColors,
  answerLinks,
  publishableKeys,
  requestLog,
  templateSlots,
  walls,
  psdImports,
  sumsFromIndexes,
  templateMarks,
  wallRooms,
  psdImportParts,
  wallStills,
  storedMockups,
  publishableKeysByTime,
  templateVersions,
]
