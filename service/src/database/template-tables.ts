/** Templates, their versions and marks, proofs, stored mockups and imports of Photoshop files. */
import type { TemplateOrigin } from '@vitrine/contract'
import type { Generated } from 'kysely'

type TemplateVersionColumns = {
  /** 1 at the first import, incremented by each that changes something and each restoration. */
  version: number
  name: string
  /** Normalised for searches: see `foldText`. */
  name_folded: string
  category: string
  category_folded: string
  type: 'print' | 'product'
  /** JSON: see `TemplateSummary`. What lists search and sort by is also in separate columns. */
  summary: string
  /** The prefix of the files in object storage, with a trailing slash; unique to each version. */
  object_prefix: string
  /** JSON: the bundle path of each object `0`, `1`, ... below the prefix. */
  files: string
  /** SHA-256 over these files' paths and bytes. */
  digest: string
  /** Makes the thumbnail's address unguessable. */
  thumbnail_token: string
  imported_at_ms: number
  /** JSON: see `TemplateLook`. Null for a template imported before looks existed. */
  look: string | null
  /** Total size of this version's objects. */
  size_bytes: number
  /** How the version was made. */
  origin: Generated<TemplateOrigin>
  /** The number that it had before it was restored. */
  restored_from: number | null
}

export type TemplateTables = {
  /** One row for every id that an owner ever used, never reused for another template of this owner. */
  templates: TemplateVersionColumns & {
    /** The row's id: the template's id, or a random one if another owner has a row with that id. */
    id: string
    /** The template's id, unique for each owner. Null if it equals `id`. */
    template_id: string | null
    /** Null for a template shared with everyone. */
    owner_account_id: string | null
    removed_at_ms: number | null
  }
  /** A version that was replaced, and can be restored. See service/src/templates/earlier-versions.ts. */
  template_versions: TemplateVersionColumns & {
    /** `id` of its template. */
    template_row: string
    replaced_at_ms: number
  }
  /** Parts that are stored or being received. */
  psd_import_parts: {
    import_id: string
    part: number
    size_bytes: number
    is_stored: number
  }
  psd_imports: {
    id: string
    account_id: string
    file_name: string
    size_bytes: number
    state: 'uploading' | 'waiting' | 'reading' | 'drawing' | 'checking' | 'ready' | 'refused' | 'failed'
    /** Incremented by each conversion; results of an earlier one are ignored. */
    run: number
    /** JSON: the names of the requested smart objects; if empty, they are detected by name. */
    frames: string
    /** Why it was refused or failed. */
    message: string | null
    /** JSON: names of smart objects, of which some must be chosen as frames. */
    choices: string
    /** JSON: see `PsdPlaces`. */
    places: string
    /** JSON: names of displacement maps that its frames need and that were not uploaded. */
    missing_maps: string
    /** JSON: displacement maps that were uploaded, see `PsdMap`. */
    maps: string
    /** JSON: see `PsdImportReport`. */
    report: string | null
    /** JSON: the names of the bundle's files in object storage. */
    files: string | null
    has_comparison: number
    created_at_ms: number
    /** When its owner last acted or its conversion last progressed. */
    changed_at_ms: number
    /** The last heartbeat of the process that converts it. */
    alive_at_ms: number
  }
  /** Objects that no template references any more, or not yet: removed when an hour old. */
  template_remains: {
    object_prefix: string
    since_ms: number
    /** Null for objects of shared templates. */
    owner_account_id: string | null
    size_bytes: number | null
  }
  /** Favourites and tags: see `TemplateMarks`. */
  template_marks: {
    account_id: string
    /** The public id of an own or shared template. */
    template_id: string
    /** Normalised for searches. Empty: the template is a favourite. */
    tag_folded: string
    /** As written. */
    tag: string
  }
  /** Links to scenes: see `Proofs`. JSON columns have the shapes of the contract. */
  proofs: {
    id: string
    account_id: string
    /** The secret part of the URL: 32 base-62 characters. */
    token: string
    title: string
    shop_name: string
    /** JSON */
    template_ids: string
    /** JSON, by template */
    placements: string
    /** JSON, by template */
    colors: string
    /** JSON: the artwork that the shop placed in the scenes; its bytes are in object storage. */
    artwork: string | null
    created_at_ms: number
    expires_at_ms: number
    revoked_at_ms: number | null
    visits: number
    answer_count: number
    /** Answers that the shop has seen. */
    read_count: number
    /** Files attached to answers, including those being uploaded. */
    file_count: number
    /** Size of all its files, including the shop's; as announced for those being uploaded. */
    file_bytes: number
    /** Size of the JSON of its answers. */
    answer_bytes: number
  }
  proof_answers: {
    id: string
    proof_id: string
    at_ms: number
    /** JSON */
    answer: string
    /** JSON: the attached file; its bytes are in object storage. */
    artwork: string | null
  }
  /** The picture of a scene at the time the link was sent, by its position among the scenes. */
  proof_stills: { proof_id: string; position: number; object: string; size_bytes: number }
  /** A mockup of *My mockups*. */
  stored_mockups: {
    id: string
    account_id: string
    /** Equal for the same picture: the Idempotency-Key of its request. */
    picture_key: string
    name: string
    /** The name of its artwork. */
    artwork: string
    run: string
    template_id: string
    /** The text that searches match. */
    text_folded: string
    media_type: string
    /** The key of its object. */
    object: string
    size_bytes: number
    thumbnail_object: string | null
    thumbnail_bytes: number
    made_at_ms: number
    /** 0 or 1: 0 while its object is being written. */
    is_stored: number
  }
  /** Space reserved for a file being uploaded, which is already counted in `proofs`. */
  proof_rooms: {
    /** The key of its object. */
    object: string
    proof_id: string
    files: number
    size_bytes: number
    reserved_at_ms: number
  }
}
