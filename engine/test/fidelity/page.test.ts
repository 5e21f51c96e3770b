import assert from 'node:assert/strict'
import path from 'node:path'
import { describe, it } from 'node:test'
import { fidelityCases } from './cases.ts'
import { readLitTemplates } from './lit-templates.ts'
import { type AlphaRow, type FidelityReport, judge, type Row, writePage } from './page.ts'
import { renewPage } from './renew-page.ts'

const root = path.resolve(import.meta.dirname, '../../..')

function buildRow(index: number, insideDb: number, peerDb: number): Row {
  const measured = fidelityCases[index]
  assert.ok(measured)
  const scores = { insideDb, edgeDb: 50, ssim: 0.99 }
  const peer = { insideDb: peerDb, edgeDb: 40, ssim: 0.95, settings: 'as it is' }
  return {
    measured,
    ours: scores,
    fromJpeg: scores,
    peers: new Map([['OpenCV linear', peer]]),
    bestPeer: { program: 'OpenCV linear', settings: 'as it is', data: new Uint8Array(0) },
  }
}

function buildAlphaRow(pngDb: number, jpegDb: number, webpDb = pngDb): AlphaRow {
  const { measured, ours } = buildRow(0, pngDb, 0)
  return {
    measured,
    overClear: ours,
    overColor: ours,
    asWebp: { ...ours, insideDb: webpDb },
    asJpeg: { ...ours, insideDb: jpegDb },
  }
}

const good: FidelityReport = {
  sceneWidthPx: 2000,
  machine: 'a machine',
  versions: { OpenCV: '4' },
  missing: [],
  rounds: 5,
  rows: [buildRow(0, 42, 36)],
  alphaRows: [buildAlphaRow(43, 42.9, 41.2)],
  lit: [{ name: 'mug', psnrDb: 47, deltaEMean: 0.5, deltaEP95: 1 }],
  kernels: [{ kernel: 'frame', work: 'gentle', greatest: 0, mean: 0, plainMs: 80, fastMs: 10 }],
  densities: [{ eighths: 4, hardEdgedDb: [36.8, 39.9], photographDb: [43.4, 46.2], costMs: [45, 54] }],
}

describe('the page of fidelity', () => {
  it('says that every bar holds where every one does, and shows both sides of every comparison', () => {
    assert.deepEqual(judge(good), [])
    const page = writePage(good)
    assert.match(page, /Every bar holds/)
    assert.match(page, /\| gentle \| 36 \| \*\*42\.0\*\* \| 42\.0 \| 36\.0 \| - \| - \| - \| 0\.9900 \| 0\.9500 \|/)
    assert.match(page, /\| gentle \| 38 \| \*\*50\.0\*\* \| 50\.0 \| 40\.0 \|\n/)
    assert.match(page, /\| gentle \| 43\.0, 0\.9900 \| 43\.0, 0\.9900 \| 41\.2, 0\.9900 \| 42\.9, 0\.9900 \|/)
    assert.match(page, /at least 44 dB .*`mug` has the least, 47\.0 dB/)
    assert.match(page, /\| frame \| gentle \| 80\.0 \| 10\.0 \|/)
    assert.match(page, /\| 4 \| 1\.88 \| 36\.8 \| 39\.9 \| 43\.4 \| 46\.2 \| 45 \| 54 \|/)
    assert.doesNotMatch(writePage({ ...good, densities: [] }), /Density of JPEG artwork/)
  })

  it('names what falls below its bar, what another program does better, and a kernel that differs', () => {
    const [lit] = good.lit
    const [kernel] = good.kernels
    assert.ok(lit && kernel)
    const failures = judge({
      ...good,
      rows: [buildRow(0, 35.5, 34), buildRow(1, 40, 41)],
      lit: [{ ...lit, psnrDb: 43.9 }],
      kernels: [{ ...kernel, greatest: 1 }],
    })
    assert.equal(failures.length, 5)
    assert.match(failures[0] ?? '', /^gentle, .* from a PNG: 35\.50, at least 36\.$/)
    assert.match(failures[1] ?? '', /^gentle, .* from a JPEG: 35\.50/)
    assert.match(failures[2] ?? '', /^strong, .*: OpenCV linear 41\.0000, ours 40\.0000\.$/)
    assert.match(failures[3] ?? '', /^mug, lit: 43\.9 dB, at least 44\.$/)
    assert.match(failures[4] ?? '', /^The kernel frame differs from its reference by 1 /)
  })

  it('names soft-edged artwork that is less true as a PNG than as a JPEG', () => {
    const failures = judge({ ...good, alphaRows: [buildAlphaRow(41, 41.5)] })
    assert.deepEqual(failures, ['gentle with soft edges: 41.00, at least 41.50.'])
  })

  it('names soft-edged artwork that is less true as a WebP than the bar', () => {
    const failures = judge({ ...good, alphaRows: [buildAlphaRow(43, 42.9, 35.9)] })
    assert.deepEqual(failures, ['gentle with soft edges, from a WebP: 35.90, at least 36.'])
  })

  it('names programs that are not installed in bold', () => {
    const page = writePage({ ...good, missing: ['ImageMagick', 'libvips'] })
    assert.match(page, /\*\*Not installed, .* no figure: ImageMagick; libvips\.\*\*/)
  })

  it('takes new rows and crops of some cases, and keeps all else', () => {
    const both = { ...good, rows: [buildRow(0, 35, 36.5), buildRow(1, 40, 41)], missing: ['libvips'] }
    const page = writePage(both)
    assert.equal(renewPage(page, { ...both, kernels: [] }), page)
    const kernels = [{ kernel: 'frame', work: 'gentle', greatest: 0, mean: 0, plainMs: 80, fastMs: 5 }]
    const part = { ...good, rows: [buildRow(0, 43, 36)], kernels, alphaRows: [], densities: [] }
    assert.equal(
      renewPage(page, part),
      writePage({ ...both, rows: [buildRow(0, 43, 36), buildRow(1, 40, 41)], kernels }),
    )
    assert.throws(() => renewPage(page, { ...good, rows: [buildRow(2, 43, 36)] }), /Expected a page with .*rotated/)
  })

  it('has every lit template that was compared with its path-traced picture, all at 44 dB or more', async () => {
    const lit = await readLitTemplates(root)
    assert.ok(lit.length >= 12)
    assert.deepEqual(judge({ ...good, lit }), [])
  })
})
