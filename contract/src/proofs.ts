/** Proofs: what an account sends to a customer, and the answers. */
import { z } from 'zod'
import { hexColor } from './color.ts'
import { dashboardTemplateSchema } from './dashboard-templates.ts'
import { limits } from './limits.ts'
import { wholePlacementSchema } from './placement.ts'

const templateId = z.string().regex(/^[a-z0-9-]{2,64}$/)
const text = (maxCharacters: number) => z.string().trim().max(maxCharacters)
const moment = z.iso.datetime()

/** By template id. */
const placements = z
  .record(templateId, wholePlacementSchema)
  .refine(all => Object.keys(all).length <= limits.proofScenesMax)
const productColors = z.record(z.string().max(32), hexColor.schema)
const colors = z
  .record(templateId, productColors)
  .refine(all => Object.keys(all).length <= limits.proofScenesMax)
  .refine(
    all => Object.values(all).every(chosen => Object.keys(chosen).length <= limits.proofColorsMax),
    `expected at most ${limits.proofColorsMax} colours of each scene`,
  )
const templateIds = z
  .array(templateId)
  .max(limits.proofScenesMax)
  .refine(ids => new Set(ids).size === ids.length)

/** The maximum lifetime of a link in days: longer than any season's order. */
export const PROOF_DAYS_MAX = 90
export const PROOF_DAYS_DEFAULT = 14

/** What a shop sends. */
export const proofDraftSchema = z.strictObject({
  title: text(200).min(1),
  shop_name: text(100).min(1),
  template_ids: templateIds.min(1),
  placements,
  colors,
  days: z.int().min(1).max(PROOF_DAYS_MAX).default(PROOF_DAYS_DEFAULT),
})
export type ProofDraft = z.infer<typeof proofDraftSchema>

/** A stored proof. */
export const storedProofSchema = proofDraftSchema.omit({ days: true })

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** A picture as sent: its name, its size and the SHA-256 of its bytes. */
export const sharedArtworkSchema = z.object({
  name: z.string().max(255),
  size_bytes: z.int().positive(),
  sha256,
})
export type SharedArtwork = z.infer<typeof sharedArtworkSchema>

/** A stored answer. */
export const storedProofAnswerSchema = z.strictObject({
  hearts: templateIds,
  word: text(2000),
  is_approved: z.boolean(),
  placements,
  colors,
  seen: z.strictObject({ name: z.string().max(255), sha256, is_own: z.boolean() }).nullable(),
  /** The customer's name; empty if not given. */
  name: text(100).default(''),
})
export type ProofAnswer = z.infer<typeof storedProofAnswerSchema>

/** A customer's answer. `seen`: the file that was shown in the scenes, whether it is sent or not. */
export const proofAnswerSchema = storedProofAnswerSchema.refine(
  answer => new TextEncoder().encode(JSON.stringify(answer)).byteLength <= limits.proofAnswerBytesMax,
  `expected an answer of at most ${limits.proofAnswerBytesMax} bytes`,
)

export const proofAnswerIdSchema = z.object({ id: z.string() })

/** A link as the shop sees it. */
export const proofSchema = z.object({
  id: z.string(),
  title: z.string(),
  shop_name: z.string(),
  url: z.string(),
  /** In the shop's order; if a template is gone, only its id. */
  scenes: z.array(z.object({ id: z.string(), name: z.string(), still_path: z.string().nullable() })),
  artwork: sharedArtworkSchema.nullable(),
  created_at: moment,
  expires_at: moment,
  state: z.enum(['open', 'expired', 'revoked']),
  visits: z.int().nonnegative(),
  answer_count: z.int().nonnegative(),
  /** Answers that the shop has not seen: the newest ones. */
  unread_count: z.int().nonnegative(),
})
export type ProofResource = z.infer<typeof proofSchema>

/** One page. `next_after` is the cursor of the next one; null on the last. */
export const proofListSchema = z.object({ proofs: z.array(proofSchema), next_after: z.string().nullable() })
export type ProofList = z.infer<typeof proofListSchema>

/** An answer as the shop sees it. */
export const givenAnswerSchema = storedProofAnswerSchema.extend({
  id: z.string(),
  at: moment,
  artwork: sharedArtworkSchema.nullable(),
})
export type GivenAnswer = z.infer<typeof givenAnswerSchema>

/** One page of answers to a link, newest first. `sent`: the artwork in the scenes when the link was made. */
export const givenAnswerListSchema = z.object({
  sent: z.object({ placements, colors }),
  answers: z.array(givenAnswerSchema),
  next_after: z.string().nullable(),
})
export type GivenAnswerList = z.infer<typeof givenAnswerListSchema>

/** Unseen answers: of all links, and how many of one link have now been seen. */
export const unreadAnswersSchema = z.object({ unread_count: z.int().nonnegative() })
export type UnreadAnswers = z.infer<typeof unreadAnswersSchema>
export const readAnswersSchema = z.strictObject({ answer_count: z.int().positive() })

/** A scene on the customer's page: no more of the template than a tile needs. */
const sharedSceneSchema = dashboardTemplateSchema
  .pick({
    id: true,
    name: true,
    category: true,
    frames: true,
    colors: true,
    is_product_template: true,
    surface_type: true,
    packs: true,
  })
  .extend({
    /** The size of its picture; null if there is no preview. */
    look: z.object({ width_px: z.int().positive(), height_px: z.int().positive() }).nullable(),
    /** Its picture at the time the link was sent; null if none was made. */
    still_path: z.string().nullable(),
  })
export type SharedScene = z.infer<typeof sharedSceneSchema>

/** The content of the page behind a link. */
export const sharedProofSchema = z.object({
  title: z.string(),
  shop_name: z.string(),
  expires_at: moment,
  scenes: z.array(sharedSceneSchema),
  /** The newest answer to this link. */
  last_answer: z.object({ at: moment, is_approved: z.boolean(), name: z.string() }).nullable(),
  /** The artwork that the shop placed in the scenes, and its path; null if the customer provides a file. */
  artwork: sharedArtworkSchema.extend({ path: z.string() }).nullable(),
  placements,
  colors,
})
export type SharedProof = z.infer<typeof sharedProofSchema>
