import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync } from 'node:fs'
import path from 'node:path'

export type TestCertificates = { readonly caFile: string; readonly certFile: string; readonly keyFile: string }

/** A certificate for 127.0.0.1 and localhost by a private authority, made by openssl. */
export function makeCertificates(folder: string, owner?: { uid: number; gid: number }): TestCertificates {
  const file = (name: string) => path.join(folder, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  openssl('req', '-x509', ...newKey, '-subj', '/CN=Test authority', '-keyout', file('ca.key'), '-out', file('ca.pem'))
  const names = [
    '-addext',
    'subjectAltName=IP:127.0.0.1,DNS:localhost',
    '-addext',
    'basicConstraints=critical,CA:FALSE',
  ]
  const ca = ['-CA', file('ca.pem'), '-CAkey', file('ca.key')]
  openssl(
    'req',
    '-x509',
    ...newKey,
    ...ca,
    '-subj',
    '/CN=server',
    ...names,
    '-keyout',
    file('s.key'),
    '-out',
    file('s.pem'),
  )
  const made = { caFile: file('ca.pem'), certFile: file('s.pem'), keyFile: file('s.key') }
  chmodSync(made.keyFile, 0o600)
  if (owner) for (const each of Object.values(made)) chownSync(each, owner.uid, owner.gid)
  return made
}
