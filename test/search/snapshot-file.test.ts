import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import {
  readSnapshot,
  type SnapshotPart,
  UnusableSnapshot,
  writeSnapshot,
} from '@skillpass/server/internal/search/snapshot-file'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/cleanup.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

const parts = [
  { name: 'whole', bytes: bytesOf('one view') },
  { name: 'pieces', bytes: [bytesOf('some '), bytesOf('pieces')] },
  { name: 'long', bytes: new Uint8Array(9_000_000).fill(7) },
]

/** Writes a snapshot whose meta names its writer. */
const write = (file: string, id: string, content: readonly SnapshotPart[] = parts) =>
  writeSnapshot(file, { id, meta: { of: id }, parts: content }, new AbortController().signal)

async function written(id = 'first') {
  const folder = await temporaryFolder()
  const file = join(folder, 'deep', 'snapshot')
  await write(file, id)
  return { file, folder: join(folder, 'deep') }
}

const textOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString()

const places = [0, 12, 5_000_000, -1, -6, -9, -40]
test.each(places)('a snapshot is rejected if it changes or ends at byte %i', async (at) => {
  const { file } = await written()
  const bytes = await readFile(file)
  const place = at < 0 ? bytes.length + at : at
  const damaged = Buffer.from(bytes)
  damaged[place] = (damaged[place] ?? 0) ^ 1
  for (const broken of [damaged, bytes.subarray(0, place)]) {
    await writeFile(file, broken)
    await expect(readSnapshot(file)).rejects.toThrow(UnusableSnapshot)
  }
})

test('a snapshot of another format is ignored', async () => {
  const { file } = await written()
  const bytes = await readFile(file)
  const length = bytes.readUInt32LE(bytes.length - 8)
  const table = JSON.parse(bytes.subarray(-8 - length, -8).toString())
  const json = Buffer.from(JSON.stringify({ ...table, format: 'other', more: 1 }))
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(json.length)
  tail.writeUInt32LE(crc32(json), 4)
  await writeFile(file, Buffer.concat([bytes.subarray(0, -8 - length), json, tail]))
  expect(await readSnapshot(file)).toBeUndefined()
})

function* failing(): Generator<Uint8Array> {
  yield bytesOf('some bytes')
  throw new Error('no more')
}

test('a snapshot that cannot be written leaves the existing one and no other file', async () => {
  const { file, folder } = await written()
  await expect(write(file, 'second', [{ name: 'x', bytes: failing() }])).rejects.toThrow('no more')
  expect((await readSnapshot(file))?.meta).toEqual({ of: 'first' })
  expect(await readdir(folder)).toEqual(['snapshot'])
})

test('writers that share a folder never mix their snapshots', async () => {
  const { file, folder } = await written()
  const ids = ['a', 'b', 'c', 'd']
  const writing = ids.map((id) => write(file, id, [{ name: 'own', bytes: bytesOf(id) }]))
  for (let i = 0; i < 5; i++) await readSnapshot(file)
  await Promise.all(writing)
  const read = await readSnapshot(file)
  expect(read?.meta).toEqual({ of: textOf(read?.parts.get('own')) })
  expect(await readdir(folder)).toEqual(['snapshot'])
})
