/** `@vitrine/client` from its sources: the package itself points to built files, which may be outdated. */
export { formatOfName, hasForeignEnding } from '../../../client/src/file-endings.ts'
export { isVitrineError, type Template, type Usage, Vitrine } from '../../../client/src/index.ts'
export { fileArtwork, fileJournal, folder, saveTo } from '../../../client/src/node.ts'
export { schemeAdvice } from '../../../client/src/service-address.ts'
