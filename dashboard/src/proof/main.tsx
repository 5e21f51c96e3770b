/** The entry point of the page behind a proof link, for a shop's customer without an account. */
import '@fontsource-variable/fraunces'
import '@fontsource-variable/source-sans-3'
import '../theme.css'
import '../shared.css'
import '../components/controls.css'
import '../scenes/gallery.css'
import './proof.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Announcer } from '../components/announcer.tsx'
import { FileDropTarget } from '../components/file-drops.tsx'
import { ProofPage } from './proof-page.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('Expected an element with the id "root" in the page')
createRoot(root).render(
  <StrictMode>
    <ProofPage />
    <Announcer />
    <FileDropTarget hint="Drop your picture to see it in the scenes. It stays in your browser." />
  </StrictMode>,
)
