import { type BundleFiles, openPack } from '@vitrine/engine'

export type Files = Pick<BundleFiles, 'read'>

/** The files of a template on the service. Browsers may cache them: they never change. */
export function servedFiles(folder: string): Files {
  return {
    async read(path) {
      const response = await fetch(`${folder}/${path.split('/').map(encodeURIComponent).join('/')}`, {
        credentials: 'same-origin',
      })
      if (!response.ok) throw new Error(`The template's file ${path} could not be loaded (${response.status}).`)
      return new Uint8Array(await response.arrayBuffer())
    },
  }
}

/** The files of a preview pack, in one request. Browsers may cache it: it never changes. */
export async function servedPack(path: string): Promise<Files> {
  const response = await fetch(path, { credentials: 'same-origin' })
  if (!response.ok) throw new Error(`The template's preview could not be loaded (${response.status}).`)
  return openPack(new Uint8Array(await response.arrayBuffer()))
}
