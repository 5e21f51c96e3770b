/** A service with a background process that it stops for a mockup; the test then kills the service. */
import path from 'node:path'
import { BackgroundWork } from '../../src/sandbox/background-work.ts'
import { startSandbox } from '../../src/sandbox/start-sandbox.ts'

const background = new BackgroundWork({ coreCount: 2 })
const file = path.join(import.meta.dirname, 'background-program.ts')
const child = startSandbox({
  file,
  readablePaths: [path.resolve(file, '../../../..')],
  writablePaths: [],
  memoryMib: 1024,
  background,
})
child.once('message', () => {
  background.giveWay()
  process.stdout.write(`${child.pid}\n`)
})
