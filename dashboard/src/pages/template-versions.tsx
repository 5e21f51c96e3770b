/** A template's versions with their pictures, each of which can be restored. */

import './template-versions.css'
import { useQuery } from '@tanstack/react-query'
import { type DashboardTemplate, type TemplateVersionList, templateVersionListSchema } from '@vitrine/contract'
import { useState } from 'react'
import { act, get } from '../api.ts'
import { ActionDialog } from '../components/action-dialog.tsx'
import { announce } from '../components/announcer.tsx'
import { Button } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Moment } from '../components/moment.tsx'
import { Loading } from '../components/states.tsx'
import { refreshTemplate } from '../editor/save-bundle.ts'

type Version = TemplateVersionList['versions'][number]

const origins: Readonly<Record<Version['origin'], string>> = {
  import: 'Imported as a bundle',
  editor: 'Saved in the editor',
  photoshop: 'Made from a Photoshop file',
  photo: 'Made from a photo',
}

export function TemplateVersions({ template: { id, version: current } }: { template: DashboardTemplate }) {
  const list = useQuery({
    // Nested under the template's own key, so that both are refreshed together.
    queryKey: ['template', id, 'versions', current],
    queryFn: ({ signal }) => get(`/dashboard/api/templates/${id}/versions`, templateVersionListSchema, signal),
  })
  const [seen, setSeen] = useState<Version | null>(null)
  const close = () => setSeen(null)
  const restoreSeen = async ({ version }: Version) => {
    await restore(id, version)
    close()
    announce(`Version ${version} is current again.`, { undo: () => restore(id, current) })
  }
  return (
    <section className="stack" aria-labelledby="versions">
      <h2 id="versions">Versions</h2>
      <p className="quiet">
        Every save and import makes a new version. The last ten before the current one can be restored.
      </p>
      <Loading query={list} rows={1} height={160} />
      {list.isSuccess && (
        <ol className="versions">
          {list.data.versions.map(version => (
            <li key={version.version} className="panel">
              <button
                type="button"
                className="version-picture"
                aria-label={`View version ${version.version}`}
                onClick={() => setSeen(version)}
              >
                <img src={version.thumbnail_path} alt="" loading="lazy" />
              </button>
              <div>
                <strong>Version {version.version}</strong>
                {version.current && <span className="quiet"> · Current</span>}
              </div>
              <Facts version={version} />
              {!version.current && (
                <Button
                  className="button-small"
                  aria-label={`Restore version ${version.version}…`}
                  onClick={() => setSeen(version)}
                >
                  Restore…
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
      {seen?.current === true && (
        <Dialog title={`Version ${seen.version}, the current one`} onClose={close}>
          <Seen version={seen} />
        </Dialog>
      )}
      {seen?.current === false && (
        <ActionDialog
          title={`Restore version ${seen.version}?`}
          label={`Restore version ${seen.version}`}
          action={() => restoreSeen(seen)}
          onClose={close}
        >
          <Seen version={seen} />
          <p>
            Requests for <code>{id}</code> show this version from now on. Version {current} is retained and can be
            restored in the same way.
          </p>
        </ActionDialog>
      )}
    </section>
  )
}

function Seen({ version }: { version: Version }) {
  const { thumbnail_path, version: number, name } = version
  return (
    <>
      <img className="version-large" src={thumbnail_path} alt={`Version ${number}, named “${name}”`} />
      <Facts version={version} />
    </>
  )
}

function Facts({ version }: { version: Version }) {
  const { restored_from, origin, size_bytes, made_at, name } = version
  return (
    <p className="quiet small">
      {name}
      <br />
      <Moment iso={made_at} />
      <br />
      {restored_from === null ? origins[origin] : `Restored from version ${restored_from}`}
      {` · ${(size_bytes / 1024 / 1024).toFixed(1)} MiB`}
    </p>
  )
}

async function restore(id: string, version: number): Promise<void> {
  await act(`/dashboard/api/templates/${id}/restore`, { version })
  await refreshTemplate(id)
}
