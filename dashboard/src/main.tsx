import '@fontsource-variable/fraunces'
import '@fontsource-variable/source-sans-3'
import './theme.css'
import './shared.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Announcer } from './components/announcer.tsx'
import { FileDropTarget } from './components/file-drops.tsx'
import { Toast } from './components/toast.tsx'
import { router } from './router.tsx'
import { queryClient } from './session/session.ts'
import { applyTheme, chosenTheme } from './theme.ts'

applyTheme(chosenTheme())

const root = document.getElementById('root')
if (root === null) throw new Error('Expected an element with the id "root" in the page')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Announcer />
      <Toast />
      <FileDropTarget />
    </QueryClientProvider>
  </StrictMode>,
)
