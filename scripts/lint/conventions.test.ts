import { describe, it } from 'node:test'
import { RuleTester } from 'oxlint/plugins-dev'
import { rules } from './conventions.ts'

RuleTester.describe = (text, run) => void describe(text, run)
RuleTester.it = (text, run) => void it(text, run)

const tester = new RuleTester({ languageOptions: { sourceType: 'module', parserOptions: { lang: 'ts' } } })

tester.run('constants: primitives in CONSTANT_CASE, everything else in camelCase', rules['constant-names'], {
  valid: [
    'export const WIDTH_PX_MAX = 4_000',
    "const A = 2; const B = A * 1024 ** 2 - -1; const NAME = `a${B}`; const BIG = 1n; const ROOT = 'x' as const",
    'const HALF_PI = Math.PI / 2; const STEPS = Math.ceil(2.5)',
    'const formats = { jpeg: 1 } as const; const pattern = /a/; const build = () => 1; const isFast = true',
    "import { SIZE_MAX } from './limits.ts'; const DOUBLE = SIZE_MAX * 2",
    'const startedMs = Date.now(); const pageCount = limits.rows; const { width } = picture',
    'const RUNS = isFull ? 1_000 : 10; const runs = isFull ? 1_000 : 10; const sizeBytes = Buffer.byteLength(text)',
    'function f() { const LOCAL = [1]; const local = 1; return [LOCAL, local] }',
    { code: 'export const Page = () => null; const Lazy = lazy(load)', filename: 'page.tsx' },
  ],
  invalid: [
    { code: 'const widthPxMax = 4000', errors: [{ message: /widthPxMax in CONSTANT_CASE/ }] },
    { code: "export const cookieName = 'session'", errors: 1 },
    { code: 'const A = 1; const twice = A * 2', errors: 1 },
    { code: 'const FORMATS = { jpeg: 1 }', errors: [{ message: /FORMATS in camelCase/ }] },
    { code: 'const PATTERN = /a/; const LIST = [1]; const TABLE: Table = new Map([[1, 2]])', errors: 3 },
    { code: 'const IS_FAST = true', errors: 1 },
    { code: 'export const Page = () => null', filename: 'page.ts', errors: 1 },
  ],
})

tester.run('types and interfaces', rules['no-interface'], {
  valid: [
    'export type Size = { readonly widthPx: number } & Base',
    "declare module 'fastify' { interface FastifyReply { send(): void } }",
    'declare global { interface Window { started: boolean } }',
    'declare namespace WebAssembly { interface Memory { readonly buffer: ArrayBuffer } }',
  ],
  invalid: [{ code: 'export interface Size { readonly widthPx: number }', errors: 1 }],
})

tester.run('state of modules', rules['no-module-state'], {
  valid: [
    'const sizes = new Map([[1, 2]]); const list = [1]',
    'function f() { let a = 1; const seen = new Map(); return [a, seen] }',
  ],
  invalid: [
    { code: 'let spare = null', errors: 1 },
    { code: 'export let count = 0', errors: 1 },
    { code: 'const cache = new Map<string, number>(); const seen: unknown[] = []', errors: 2 },
  ],
})

tester.run('assertions of types', rules['explained-assertion'], {
  valid: [
    'const a = [1] as const',
    'const b = c satisfies D',
    'const b = c as D // The driver returns what the query names.',
    '// The driver returns what the query names.\nconst b = c as D',
  ],
  invalid: [
    { code: 'const b = c as D', errors: 1 },
    { code: '// too far away\n\nconst b = c as D', errors: 1 },
    { code: 'const b = c as unknown as D', errors: 2 },
  ],
})

tester.run('error classes', rules['error-class'], {
  valid: [
    "class RenderBusyError extends Error { override readonly name = 'RenderBusyError' }",
    "class LostError extends DatabaseError { override readonly name: string = 'LostError' }",
    'class Wallet extends Book {}',
  ],
  invalid: [
    {
      code: "class RenderBusy extends Error { override readonly name = 'RenderBusy' }",
      errors: [{ message: /RenderBusyError/ }],
    },
    { code: 'class RenderBusyError extends Error {}', errors: 1 },
    { code: "class RenderBusyError extends Error { override readonly name = 'RenderBusy' }", errors: 1 },
  ],
})

tester.run('bodies of requests', rules['no-raw-body'], {
  valid: [
    'const { complete, rawHeaders } = request.raw.socket; latest?.request.raw.complete; reply.raw.destroy()',
    'function hasEnded({ raw }: FastifyReply) { return raw.destroyed }',
    'using reader = new BodyReader(request, limits); for await (const piece of reader) take(piece)',
    "app.addContentTypeParser('*', (_request, _payload, done) => done(null))",
    "app.addContentTypeParser('application/json', async request => JSON.parse(await read(request)))",
  ],
  invalid: [
    { code: 'for await (const piece of request.raw) take(piece)', errors: 1 },
    { code: "request.raw.on('data', take)", errors: 1 },
    { code: 'reply.request.raw.pipe(file)', errors: 1 },
    { code: 'const { raw } = request', errors: 1 },
    { code: 'const check = ({ raw }, reply, done) => read(raw)', errors: 1 },
    { code: "app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))", errors: 1 },
    { code: "app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))", errors: 1 },
    { code: "app.addContentTypeParser('*', parse)", errors: 1 },
  ],
})

tester.run('statuses', rules['no-status-code'], {
  valid: [
    'if (response.statusCode === 404) throw new DownloadError(reason)',
    "reply.code(status).send(body); throw new ApiError('NOT_FOUND'); const a = { status: 'active', size: 404 }",
  ],
  invalid: [
    { code: 'reply.code(404).send(body)', errors: 1 },
    { code: 'response.writeHead(503, headers)', errors: 1 },
    { code: 'response.statusCode = 500', errors: 1 },
    { code: "throw new DashboardError(409, 'TAKEN')", errors: 1 },
    { code: 'const answer = { status: 400, code }', errors: 1 },
  ],
})
