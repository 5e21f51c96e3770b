import { columnTypes, type DatabaseKind } from './column-types.ts'

/** Accounts and their keys, and the tables of the sign-in library, whose user ids are account ids. */
export function accountStatements(kind: DatabaseKind): readonly string[] {
  const { bigint, flag, moment, end } = columnTypes(kind)
  return [
    `create table accounts (
      id text primary key,
      email text not null,
      email_key text not null unique,
      role text not null check (role in ('owner', 'operator', 'customer')),
      created_at_ms ${bigint} not null,
      suspended_at_ms ${bigint},
      deleted_at_ms ${bigint}
    ${end}`,
    `create table api_keys (
      id text primary key,
      account_id text not null references accounts (id),
      name text not null,
      key_hash text not null unique,
      display text not null,
      created_at_ms ${bigint} not null,
      revoked_at_ms ${bigint},
      last_used_at_ms ${bigint},
      expires_at_ms ${bigint},
      scopes text,
      allowed_addresses text,
      replaced_by_key_id text,
      expiry_told_at_ms ${bigint}
    ${end}`,
    'create index api_keys_by_account on api_keys (account_id, created_at_ms)',
    // Queried every ten minutes. Most keys have no expiry.
    `create index api_keys_expiring on api_keys (expires_at_ms)
      where expires_at_ms is not null and expiry_told_at_ms is null`,
    // Keys embedded in pages: which sites may show which templates, and at what size.
    `create table publishable_keys (
      id text primary key,
      account_id text not null references accounts (id),
      name text not null,
      key_text text not null unique,
      origins text not null,
      template_ids text,
      width_px integer not null,
      watermark text,
      loads_per_day integer not null,
      created_at_ms ${bigint} not null,
      revoked_at_ms ${bigint}
    ${end}`,
    'create index publishable_keys_by_account on publishable_keys (account_id, created_at_ms)',
    // Servers poll for keys created by commands.
    'create index publishable_keys_by_time on publishable_keys (created_at_ms)',
    `create table sign_in_users (
      id text primary key references accounts (id),
      name text not null,
      email text not null unique,
      email_verified ${flag} not null,
      image text,
      two_factor_enabled ${flag},
      created_at ${moment} not null,
      updated_at ${moment} not null
    ${end}`,
    `create table sign_in_sessions (
      id text primary key,
      token text not null unique,
      user_id text not null references sign_in_users (id) on delete cascade,
      expires_at ${moment} not null,
      ip_address text,
      user_agent text,
      created_at ${moment} not null,
      updated_at ${moment} not null
    ${end}`,
    'create index sign_in_sessions_by_user on sign_in_sessions (user_id)',
    `create table sign_in_credentials (
      id text primary key,
      account_id text not null,
      provider_id text not null,
      user_id text not null references sign_in_users (id) on delete cascade,
      access_token text,
      refresh_token text,
      id_token text,
      access_token_expires_at ${moment},
      refresh_token_expires_at ${moment},
      scope text,
      password text,
      created_at ${moment} not null,
      updated_at ${moment} not null
    ${end}`,
    'create index sign_in_credentials_by_user on sign_in_credentials (user_id)',
    `create table sign_in_verifications (
      id text primary key,
      identifier text not null,
      value text not null,
      expires_at ${moment} not null,
      created_at ${moment} not null,
      updated_at ${moment} not null
    ${end}`,
    'create index sign_in_verifications_by_identifier on sign_in_verifications (identifier)',
    `create table sign_in_second_factors (
      id text primary key,
      secret text not null,
      backup_codes text not null,
      user_id text not null references sign_in_users (id) on delete cascade,
      verified ${flag},
      failed_verification_count ${bigint},
      locked_until ${moment}
    ${end}`,
    'create index sign_in_second_factors_by_user on sign_in_second_factors (user_id)',
  ]
}
