/** Loaded before the program under test: reports to its parent what the program has loaded and started. */
import { subscribe } from 'node:diagnostics_channel'
import { registerHooks } from 'node:module'

const modules: string[] = []
let processCount = 0
registerHooks({
  load(url, context, next) {
    modules.push(url)
    return next(url, context)
  },
})
subscribe('child_process', () => processCount++)
process.on('message', () => process.send?.({ modules, processCount }))
