import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createSharpCodec } from '@vitrine/engine/node'
import { placeFrames, prepareScene, type SceneKind } from '../../engine/bench/scenes.ts'
import type { SpawnedService } from './spawned-service.ts'

const defaultScene: SceneKind = { widthPx: 2000, share: 0.25, frames: 1, placement: 'corners' }

/**
 * The default template of `npm run bench` (q25, four corners, multiplied) as a bundle, imported as an
 * operator would.
 * @returns its id
 */
export async function importDefaultTemplate(service: SpawnedService): Promise<string> {
  const codec = createSharpCodec()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vitrine-default-'))
  try {
    const { empty } = await prepareScene(defaultScene, codec)
    await writeFile(path.join(folder, 'scene.png'), await codec.encode(empty, { format: 'png' }))
    const template = {
      format: 1,
      id: 'bench-default',
      name: 'Default of the bench',
      category: 'Wall Art',
      type: 'print',
      render_mode: 'corners',
      blending_mode: 'multiply',
      scene: 'scene.png',
      frames: placeFrames(defaultScene).map(corners => ({ aspect_ratio: 2 / 3, corners })),
    }
    await writeFile(path.join(folder, 'template.json'), JSON.stringify(template))
    return String((await service.command('template', 'import', folder))['template_id'])
  } finally {
    await rm(folder, { recursive: true })
  }
}
