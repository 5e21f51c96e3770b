import type { Migration } from './migration.ts'

/** `digest` of the CC0 templates that shipped before a bundle could say that it may be downloaded. */
const starterDigests = [
  'c841699fd6c81382726c05e8277cb3ccabcb8ca8e30435bfbc843c2660278a03',
  '42d996e7a9dd6ca076f7a52de1452471b3b8dd160e8ee8d9786cb2dae59964ab',
  'c0653b2ba093e3a5463701d6f8d0ad1a68cd577a562fba8ce001728ae56ed902',
  '5228f37cb41643d9011d465e49a056d02d8273eeac0fff49624205ddc36ec216',
  'b7d50e8193122eafd88fb3627469e9022a0d88416a538d8e53e2a5fc7b8d2fd3',
  'a5104f84575cb9b8bc3461d09b26a457485167bcb4e4546aa8fec28a21e5126e',
  '5b890d532cf1dc20f9224a7bc9bbc31eb9280e1d0b3af9d2337ede42adf730ec',
  'a954237c64592033637c47c45943e97b80d38e82d9849a76df5205a54c897762',
  '4830958108a36d4c8fc5521e3cc604cbead094b308ae5f10b2354b408ef22a2e',
  '47feeae5916fe02eee04512a22634947800a0c1c1c351db3b8f8f54b5b1543b8',
  '03dc58f0c69f82d16a67156f1dc0bae11403c6ce3a33c14de5c31b17d3dcd241',
  '8fd451d6459d078e52826534482270c5afe378c9478246294bdee60a4229f1c1',
  '1779aee4507ec1f57a26a7ad27b9978211b44cea5192bccbfba4d13c7b143d1b',
  'fe40e0a8a147d2cc175456e3708ae8e7710031aad0a38656afa37d1c74744849',
]

/**
 * Ids of templates that are unique for each owner, no longer in all, and whether customers may download a
 * shared template's whole bundle. Older versions of the service that still run go on writing the same rows.
 */
export const templateIds: Migration = {
  name: '0012-template-ids',
  statements(kind) {
    const bigint = kind === 'sqlite' ? 'integer' : 'bigint'
    return [
      'alter table templates add column template_id text',
      `create unique index templates_by_template_id
        on templates (coalesce(template_id, id), coalesce(owner_account_id, ''))`,
      `alter table templates add column share_bundle ${bigint} not null default 0 check (share_bundle in (0, 1))`,
      `update templates set share_bundle = 1
        where owner_account_id is null and digest in (${starterDigests.map(digest => `'${digest}'`).join(', ')})`,
    ]
  },
}
