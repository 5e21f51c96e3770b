import assert from 'node:assert/strict'
import os from 'node:os'
import { test } from 'node:test'
import { DiskFullError } from '../errors/disk-full-error.ts'
import { freeDiskBytes } from './free-disk.ts'
import { UploadRoom } from './upload-room.ts'

const folder = os.tmpdir()

test('uploads share the disk’s free space apart from the reserve, and release it again', async () => {
  const halfBytes = Math.floor((await freeDiskBytes(folder)) / 2)
  const room = new UploadRoom(folder, Math.floor(halfBytes / 2))
  {
    using _first = await room.take(halfBytes)
    await assert.rejects(room.take(halfBytes), DiskFullError)
  }
  using _again = await room.take(halfBytes)
})

test('of two concurrent requests for the last space, only one gets it', async () => {
  const freeBytes = await freeDiskBytes(folder)
  const room = new UploadRoom(folder, 0)
  const asked = await Promise.allSettled([room.take(freeBytes * 0.6), room.take(freeBytes * 0.6)])
  assert.ok(asked.filter(({ status }) => status === 'fulfilled').length <= 1)
})

test('if uploads are stored elsewhere the disk is not checked, and a missing folder is an error', async () => {
  using _taken = await new UploadRoom(null, Number.MAX_SAFE_INTEGER).take(1)
  await assert.rejects(new UploadRoom('/no/such/folder', 0).take(1), { code: 'ENOENT' })
})
