import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'

const scenes = path.resolve(import.meta.dirname, '../scenes')
const pythons = ['python3', '/usr/bin/python3']

/** What the exporter needs and this machine lacks, in words; empty where it can run. */
function missing(): { python: string; lacks: string } {
  const works = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0
  const python = pythons.find(name => works(name, '-c', 'import cv2, numpy, PIL, scipy'))
  const lacks = [
    ...(works('blender', '--version') ? [] : ['blender']),
    ...(works('gcc', '--version') ? [] : ['gcc']),
    ...(python === undefined ? ['python3 with numpy, scipy, OpenCV and Pillow'] : []),
  ]
  return { python: python ?? 'python3', lacks: lacks.join(', ') }
}

const isFull = process.env['VITRINE_TEST_SIZE'] === 'full'

test("the exporter makes true templates of scenes that it wasn't written for", {
  timeout: isFull ? 900_000 : 280_000,
}, t => {
  const { python, lacks } = missing()
  if (lacks !== '') {
    console.error(`NOT TESTED: the template exporter (scenes/make_template.py), because there is no ${lacks} here.`)
    t.skip(`no ${lacks}`)
    return
  }
  const flat = 'ExporterTest.test_a_flat_picture_in_an_unusual_scene_becomes_corners'
  const tests = isFull ? [] : [flat]
  const run = spawnSync(python, ['test_exporter.py', ...tests], { cwd: scenes, encoding: 'utf8' })
  assert.equal(run.status, 0, run.stderr + run.stdout)
})
