import { columnTypes, type DatabaseKind } from './column-types.ts'

/**
 * Shared state of the nodes: which are alive, which installation the data belongs to, who runs the first
 * start, and the leases for work that one node does for all. `first_run_steps`: the next start completes an
 * interrupted one.
 */
export function nodeStatements(kind: DatabaseKind): readonly string[] {
  const { bigint, end } = columnTypes(kind)
  return [
    `create table instances (
      id text primary key,
      started_at_ms ${bigint} not null,
      heartbeat_at_ms ${bigint} not null
    ${end}`,
    `create table installation (
      only_row ${bigint} primary key check (only_row = 1),
      id text not null
    ${end}`,
    `create table first_run_steps (
      step text primary key,
      done_at_ms ${bigint} not null
    ${end}`,
    `create table first_run_claims (
      step text primary key,
      instance_id text not null
    ${end}`,
    `create table leases (
      name text primary key,
      instance_id text not null,
      ends_at_ms ${bigint} not null
    ${end}`,
  ]
}
