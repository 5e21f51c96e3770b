import { chmod, mkdir } from 'node:fs/promises'

/** Makes a folder that other users of the machine cannot look into, and closes one that they could. */
export async function openPrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700).catch((error: unknown) => {
    // It is somebody else's, who alone can change that.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
  })
}
