import { isOutputFormat, outputFormatNames, outputFormats } from '@vitrine/contract'
import { Select } from '../components/controls.tsx'
import type { MockupOutput } from './mockups.ts'

type OutputChoiceProps = { output: MockupOutput; onChange: (output: MockupOutput) => void; disabled: boolean }

/** The width and format of full mockups. */
export function OutputChoice({ output, onChange, disabled }: OutputChoiceProps) {
  return (
    <div className="row">
      <Select
        label="Width"
        value={String(output.widthPx)}
        disabled={disabled}
        onChange={event => onChange({ ...output, widthPx: Number(event.currentTarget.value) })}
        options={[1000, 2000, 3000, 4000].map(px => ({ value: String(px), label: `${px} px` }))}
      />
      <Select
        label="Format"
        value={output.format}
        disabled={disabled}
        onChange={({ currentTarget: { value } }) => isOutputFormat(value) && onChange({ ...output, format: value })}
        options={outputFormatNames.map(value => ({ value, label: outputFormats[value].label }))}
      />
    </div>
  )
}
