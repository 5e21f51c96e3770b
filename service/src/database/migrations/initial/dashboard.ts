import { columnTypes, type DatabaseKind } from './column-types.ts'

/**
 * Proofs: links by which an account shows scenes to a customer, and the customer's answers; Photoshop files
 * that have not become a template yet; the mockups of *My mockups*. Bytes are in object storage.
 */
export function dashboardStatements(kind: DatabaseKind): readonly string[] {
  const { bigint, end } = columnTypes(kind)
  return [
    `create table proofs (
      id text primary key,
      account_id text not null references accounts (id),
      token text not null unique,
      title text not null,
      shop_name text not null,
      template_ids text not null,
      placements text not null,
      colors text not null,
      artwork text,
      created_at_ms ${bigint} not null,
      expires_at_ms ${bigint} not null,
      revoked_at_ms ${bigint},
      visits ${bigint} not null default 0,
      answer_count ${bigint} not null default 0,
      answer_bytes ${bigint} not null default 0,
      read_count ${bigint} not null default 0,
      file_count ${bigint} not null default 0,
      file_bytes ${bigint} not null default 0
    ${end}`,
    'create index proofs_by_account on proofs (account_id, created_at_ms)',
    'create index proofs_by_expiry on proofs (expires_at_ms)',
    `create table proof_answers (
      id text primary key,
      proof_id text not null references proofs (id) on delete cascade,
      at_ms ${bigint} not null,
      answer text not null,
      artwork text
    ${end}`,
    'create index proof_answers_by_proof on proof_answers (proof_id, at_ms)',
    // Space reserved for files being uploaded through a link; it expires even if the process is killed.
    `create table proof_rooms (
      object text primary key,
      proof_id text not null references proofs (id) on delete cascade,
      files ${bigint} not null,
      size_bytes ${bigint} not null,
      reserved_at_ms ${bigint} not null
    ${end}`,
    'create index proof_rooms_by_time on proof_rooms (reserved_at_ms)',
    'create index proof_rooms_by_proof on proof_rooms (proof_id)',
    // A picture of each scene at the time the link was sent.
    `create table proof_stills (
      proof_id text not null references proofs (id) on delete cascade,
      position ${bigint} not null,
      object text not null,
      size_bytes ${bigint} not null,
      primary key (proof_id, position)
    ${end}`,
    `create table psd_imports (
      id text primary key,
      account_id text not null references accounts (id),
      file_name text not null,
      size_bytes ${bigint} not null,
      state text not null,
      run integer not null,
      frames text not null,
      message text,
      choices text not null,
      places text not null,
      missing_maps text not null,
      maps text not null,
      report text,
      files text,
      has_comparison integer not null,
      created_at_ms ${bigint} not null,
      changed_at_ms ${bigint} not null,
      alive_at_ms ${bigint} not null
    ${end}`,
    'create index psd_imports_by_account on psd_imports (account_id, created_at_ms)',
    // Parts stored or being received: these use quota, announced sizes do not.
    `create table psd_import_parts (
      import_id text not null references psd_imports (id) on delete cascade,
      part integer not null,
      size_bytes integer not null,
      is_stored integer not null,
      primary key (import_id, part)
    ${end}`,
    `create table stored_mockups (
      id text primary key,
      account_id text not null references accounts (id) on delete cascade,
      picture_key text not null,
      name text not null,
      artwork text not null,
      run text not null,
      template_id text not null,
      text_folded text not null,
      media_type text not null,
      object text not null,
      size_bytes ${bigint} not null,
      thumbnail_object text,
      thumbnail_bytes ${bigint} not null default 0,
      made_at_ms ${bigint} not null,
      is_stored ${bigint} not null
    ${end}`,
    'create unique index stored_mockups_by_picture on stored_mockups (account_id, picture_key, name)',
    'create index stored_mockups_by_account on stored_mockups (account_id, made_at_ms, id)',
    'create index stored_mockups_by_time on stored_mockups (made_at_ms)',
  ]
}
