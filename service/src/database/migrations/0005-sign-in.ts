import type { Migration } from './migration.ts'

/**
 * The tables of the sign-in library. A user has the id of its account.
 * Moments are ISO 8601 texts on SQLite, as the library writes them there.
 */
export const signIn: Migration = {
  name: '0005-sign-in',
  statements(kind) {
    const isSqlite = kind === 'sqlite'
    const end = isSqlite ? ') strict' : ')'
    const moment = isSqlite ? 'text' : 'timestamptz'
    const flag = isSqlite ? 'integer' : 'boolean'
    const bigint = isSqlite ? 'integer' : 'bigint'
    return [
      `alter table accounts add column suspended_at_ms ${bigint}`,
      `alter table accounts add column deleted_at_ms ${bigint}`,
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
      `create table payments (
        id text primary key,
        account_id text not null references accounts (id),
        credits ${bigint} not null,
        price_cents ${bigint} not null,
        created_at_ms ${bigint} not null,
        paid_at_ms ${bigint},
        reversed_credits ${bigint} not null default 0 check (reversed_credits >= 0 and reversed_credits <= credits),
        receipt_url text
      ${end}`,
      'create index payments_by_account on payments (account_id)',
    ]
  },
}
