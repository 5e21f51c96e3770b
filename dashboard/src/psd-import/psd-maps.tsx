/** Displacement maps of a Photoshop file: other files by which its filters move the design. */
import type { PsdImport } from '@vitrine/contract'
import { useState } from 'react'
import { asError } from '../as-error.ts'
import { FilePicker } from '../components/file-picker.tsx'
import { Failure } from '../components/states.tsx'
import { queryClient } from '../session/session.ts'
import { psdUploads } from './psd-uploads.ts'

export function PsdMaps({ psd }: { psd: PsdImport }) {
  const [error, setError] = useState<Error | null>(null)
  const names = [...new Set([...psd.missing_maps, ...psd.maps])]
  if (names.length === 0) return null
  const take = async (name: string, file: File) => {
    setError(null)
    const colors = psd.report?.colors.map(color => ({ name: color.name, layer: color.layer })) ?? []
    try {
      await psdUploads.addMap(psd.id, name, file, { frames: psd.chosen, colors })
      await queryClient.invalidateQueries({ queryKey: ['import', psd.id] })
    } catch (failure) {
      setError(asError(failure))
    }
  }
  return (
    <section className="stack" aria-label="Displacement maps">
      {names.map(name => (
        <div key={name} className="row">
          <span>
            {psd.missing_maps.includes(name)
              ? `A filter moves the design by the displacement map “${name}”, a file of its own.`
              : `The displacement map “${name}” was sent.`}
          </span>
          <FilePicker label={`Displacement map ${name}`} accept=".psd,.psb" onFile={file => void take(name, file)}>
            {psd.missing_maps.includes(name) ? 'Choose the map' : 'Choose another map'}
          </FilePicker>
        </div>
      ))}
      {error !== null && <Failure error={error} />}
    </section>
  )
}
