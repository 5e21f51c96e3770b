/** What the import understood, in sentences. */
import type { PsdImportReport } from '@vitrine/contract'
import { counted } from '../format.ts'

const results: Readonly<Record<PsdImportReport['result'], string>> = {
  verified: 'With the design that the file holds, the template looks as Photoshop shows the file.',
  different: 'With the design that the file holds, the template differs from Photoshop’s picture: compare them.',
  'not-verified': 'The template could not be compared with Photoshop’s picture in every frame: look at it closely.',
}

const kinds: Readonly<Record<PsdImportReport['notes'][number]['kind'], string>> = {
  'left-out': 'Left out',
  approximated: 'Approximated',
  hint: 'To know',
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const outcomes: Readonly<Record<PsdImportReport['layers'][number]['outcome'], string>> = {
  baked: 'in the scene',
  frame: 'shows artwork',
  above: 'drawn over the frames',
}

const quoted = (names: readonly string[]): string => names.map(name => `“${name}”`).join(', ')

const listed = (words: readonly string[]): string => new Intl.ListFormat('en', { type: 'conjunction' }).format(words)

function drawnAs({ pictures, adjustments, groups }: PsdImportReport['above']): string[] {
  const parts = [
    [pictures, 'picture'],
    [adjustments, 'adjustment'],
    [groups, 'group'],
  ] as const
  return parts.filter(([count]) => count > 0).map(([count, what]) => counted(count, what))
}

function describeFile({ file, above }: PsdImportReport): string {
  const { width, height, bits, layers, profile, profile_kind } = file
  const how = profile_kind === 'converted' ? 'converted to' : 'taken as'
  const colors = profile_kind === 'srgb' ? 'sRGB' : `${profile ?? 'no colour profile'}, ${how} sRGB`
  const over =
    above.layers === 0
      ? 'Nothing lies above the frames.'
      : `Above the frames ${above.layers === 1 ? 'lies' : 'lie'} ${counted(above.layers, 'layer')}, drawn as ${listed(drawnAs(above))}.`
  return `${width} × ${height} pixels, ${bits} bits, ${colors}, ${counted(layers, 'layer')}. ${over}`
}

export function PsdReport({ report }: { report: PsdImportReport }) {
  const { result, doubts, notes, hidden_smart_objects: hidden } = report
  return (
    <section className="stack" aria-label="Report">
      <p className={result === 'verified' && doubts.length === 0 ? 'notice' : 'notice notice-danger'}>
        <strong>{results[result]}</strong>
      </p>
      <p className="quiet">{describeFile(report)}</p>
      {doubts.length > 0 && (
        <ul className="faults">
          {doubts.map(doubt => (
            <li key={doubt}>In doubt: {sentence(doubt)}</li>
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <details open={notes.some(({ kind }) => kind === 'left-out')}>
          <summary>{counted(notes.length, 'note')} about layers</summary>
          <ul className="faults">
            {notes.map(({ kind, layer, text }) => (
              <li key={`${kind} ${layer} ${text}`}>
                {kinds[kind]}
                {layer === '' ? '' : `, “${layer}”`}: {sentence(text)}
              </li>
            ))}
          </ul>
        </details>
      )}
      <details>
        <summary>What became of each layer</summary>
        <ol className="psd-layers">
          {report.layers.map(({ layer, outcome }, index) => (
            <li key={index}>
              {layer}: {outcomes[outcome]}
            </li>
          ))}
        </ol>
      </details>
      {hidden.length > 0 && (
        <p className="quiet">
          Hidden, and so no frames: {quoted(hidden)}. Show their layers in Photoshop and save again to use them.
        </p>
      )}
    </section>
  )
}
