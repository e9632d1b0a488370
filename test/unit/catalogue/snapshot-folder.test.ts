import { mkdir, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  discardSnapshot,
  readParts,
  type SnapshotToWrite,
  writeSnapshot,
} from '@skillpass/server/snapshot/folder'
import { readManifest } from '@skillpass/server/snapshot/manifest'
import type { SnapshotPart } from '@skillpass/server/snapshot/saved'
import { UnusableSnapshot } from '@skillpass/server/snapshot/unusable'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Two immutable parts and two others, one of them in pages. */
const parts: readonly SnapshotPart[] = [
  { name: 'index/first', bytes: bytesOf('the first segment'), immutable: 'segment-1' },
  { name: 'index/second', bytes: bytesOf('the second segment'), immutable: 'segment-2' },
  { name: 'cards/stars', bytes: [bytesOf('page one, '), bytesOf('page two')] },
  { name: 'cards/none', bytes: new Uint8Array() },
]

let writes = 0

function write(
  folder: string,
  snapshot: Partial<SnapshotToWrite> = {},
  { confirm = async () => {}, signal = new AbortController().signal } = {},
) {
  const id = `write${++writes}`
  return writeSnapshot(
    folder,
    { id, revision: 7, meta: { of: id }, parts, ...snapshot },
    { confirm, signal },
  )
}

/** The folder's snapshot: its meta, and its parts as text. */
async function read(folder: string) {
  const manifest = await readManifest(folder)
  if (!manifest) return undefined
  const found = await readParts(folder, manifest)
  const texts = [...found].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])
  return { meta: manifest.meta, revision: manifest.revision, parts: Object.fromEntries(texts) }
}

const texts = {
  'index/first': 'the first segment',
  'index/second': 'the second segment',
  'cards/stars': 'page one, page two',
  'cards/none': '',
}

/** The file of a part. */
async function fileOf(folder: string, name: string): Promise<string> {
  const manifest = await readManifest(folder)
  const entry = manifest?.parts.find((part) => part.name === name)
  if (!entry) throw new Error(`There is no part ${name}.`)
  return join(folder, entry.file)
}

test('a snapshot is read back as it was written, into shared memory', async () => {
  const folder = join(await temporaryFolder(), 'made', 'when', 'missing')
  expect(await read(folder)).toBeUndefined()
  await write(folder, { meta: { any: ['thing'] }, revision: 42 })
  expect(await read(folder)).toEqual({ meta: { any: ['thing'] }, revision: 42, parts: texts })
  const manifest = await readManifest(folder)
  if (!manifest) throw new Error('There is no manifest.')
  for (const bytes of (await readParts(folder, manifest)).values()) {
    expect(bytes.buffer).toBeInstanceOf(SharedArrayBuffer)
  }
})

test('a large part is read back byte for byte, from shared and from private memory', async () => {
  const folder = await temporaryFolder()
  const shared = new Uint8Array(new SharedArrayBuffer(3_000_001))
  for (let i = 0; i < shared.length; i++) shared[i] = (i * 2_654_435_761) >>> 24
  const own = shared.slice()
  await write(folder, {
    parts: [
      { name: 'shared', bytes: shared, immutable: 'x' },
      { name: 'own', bytes: [own.subarray(0, 2_000_000), own.subarray(2_000_000)] },
    ],
  })
  const manifest = await readManifest(folder)
  const found = manifest && (await readParts(folder, manifest))
  for (const name of ['shared', 'own']) {
    const bytes = found?.get(name)
    expect(bytes && Buffer.compare(bytes, own)).toBe(0)
  }
})

test('immutable parts are kept from the former snapshot and all others are written again', async () => {
  const folder = await temporaryFolder()
  expect(await write(folder)).toBe(Object.values(texts).join('').length)
  const before = await Promise.all(parts.map(({ name }) => fileOf(folder, name)))
  const renamed = parts.map((part) =>
    part.immutable === 'segment-2' ? { ...part, name: 'index/third' } : part,
  )
  expect(await write(folder, { parts: renamed.slice(1) })).toBe(texts['cards/stars'].length)
  expect(await fileOf(folder, 'index/third')).toBe(before[1])
  expect(await fileOf(folder, 'cards/stars')).not.toBe(before[2])
  const { 'cards/stars': stars, 'cards/none': none, 'index/second': second } = texts
  expect((await read(folder))?.parts).toEqual({
    'cards/stars': stars,
    'cards/none': none,
    'index/third': second,
  })
})

test('a part may be an iterable whose pages are made while it is written', async () => {
  const folder = await temporaryFolder()
  function* pages() {
    yield bytesOf('one, ')
    yield bytesOf('two')
  }
  await write(folder, { parts: [{ name: 'lazy', bytes: pages() }] })
  expect((await read(folder))?.parts).toEqual({ lazy: 'one, two' })
})

test('an immutable part whose file is missing or shorter is written again', async () => {
  const folder = await temporaryFolder()
  await write(folder)
  await rm(await fileOf(folder, 'index/first'))
  await truncate(await fileOf(folder, 'index/second'), 3)
  await write(folder)
  expect((await read(folder))?.parts).toEqual(texts)
})

test('writing a snapshot deletes files that no snapshot needs and leaves other files alone', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'notes.txt'), 'mine')
  await write(folder)
  const hour = 3_600_000
  const leave = async (file: string, age: number) => {
    await writeFile(join(folder, file), 'left behind')
    const time = new Date(Date.now() - age)
    await utimes(join(folder, file), time, time)
  }
  await leave('dead-1.part', 2 * hour)
  await leave('dead.draft', 2 * hour)
  await leave('writing-1.part', hour / 2)
  await write(folder)
  const manifest = await readManifest(folder)
  const named = manifest?.parts.map(({ file }) => file) ?? []
  expect((await readdir(folder)).sort()).toEqual(
    ['manifest', 'notes.txt', 'writing-1.part', ...named].sort(),
  )
})

const part = (harm: (file: string) => Promise<unknown>, name = 'index/first') => {
  return async (folder: string) => harm(await fileOf(folder, name))
}

test.each<[string, (folder: string) => Promise<unknown>]>([
  ['a part is missing', part((file) => rm(file))],
  ['a part is a byte shorter', part((file) => truncate(file, texts['index/first'].length - 1))],
  ['a part is a byte longer', part((file) => writeFile(file, '!', { flag: 'a' }))],
  ['a part is empty', part((file) => truncate(file, 0))],
  ['a part has other bytes', part((file) => writeFile(file, 'the first segmenT'))],
  [
    'a part is a folder',
    part(async (file) => {
      await rm(file)
      await mkdir(file)
    }),
  ],
])('a snapshot is refused if %s', async (_, harm) => {
  const folder = await temporaryFolder()
  await write(folder)
  await harm(folder)
  await expect(read(folder)).rejects.toThrow(UnusableSnapshot)
})

test('a snapshot is refused if a byte of its manifest differs or its end is missing', async () => {
  const folder = await temporaryFolder()
  await write(folder)
  const file = join(folder, 'manifest')
  const whole = await readFile(file)
  const end = whole.length - 1
  for (let at = 0; at < end; at += 5) {
    const flipped = Buffer.from(whole)
    flipped[at] = (whole[at] ?? 0) ^ 1
    await writeFile(file, flipped)
    await expect(read(folder)).rejects.toThrow(UnusableSnapshot)
    await writeFile(file, whole.subarray(0, at))
    await expect(read(folder)).rejects.toThrow(UnusableSnapshot)
  }
  await writeFile(file, whole)
  expect((await read(folder))?.parts).toEqual(texts)
})

test.each<[string, Parameters<typeof write>[2]]>([
  ['not confirmed', { confirm: () => Promise.reject(new Error('no database')) }],
  ['aborted', { signal: AbortSignal.abort() }],
])('a snapshot that is %s leaves the former one and none of its own files', async (_, options) => {
  const folder = await temporaryFolder()
  await write(folder, { meta: 'former' })
  const before = await readdir(folder)
  const other = [{ name: 'new', bytes: bytesOf('new') }, ...parts]
  await expect(write(folder, { parts: other }, options)).rejects.toThrow()
  expect(await readdir(folder)).toEqual(before)
  expect(await read(folder)).toMatchObject({ meta: 'former', parts: texts })
})

test('a snapshot is confirmed after every byte is written and before it becomes the current one', async () => {
  const folder = await temporaryFolder()
  await write(folder, { meta: 'former' })
  let seen: unknown
  const confirm = async () => {
    const sizes = (await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size)
    seen = { meta: (await read(folder))?.meta, bytes: (await Promise.all(sizes)).includes(7) }
  }
  await write(
    folder,
    { meta: 'new', parts: [{ name: 'x', bytes: bytesOf('7 bytes') }] },
    { confirm },
  )
  expect(seen).toEqual({ meta: 'former', bytes: true })
  expect((await read(folder))?.meta).toBe('new')
})

test('writers that share a folder never mix their snapshots', async () => {
  const folder = await temporaryFolder()
  const writer = async (name: string) => {
    for (let round = 0; round < 6; round++) {
      const meta = `${name}${round}`
      await write(folder, { meta, parts: [...parts, { name: 'of', bytes: bytesOf(meta) }] }).catch(
        () => {},
      )
    }
  }
  let isDone = false
  const reader = async () => {
    while (!isDone) {
      const found = await read(folder).catch((error: unknown) => {
        if (!(error instanceof UnusableSnapshot)) throw error
      })
      if (found) expect(found.parts).toEqual({ ...texts, of: found.meta })
      await nextTurn()
    }
  }
  const reading = reader()
  await Promise.all([writer('a'), writer('b')])
  isDone = true
  await reading
  await write(folder, { meta: 'last' })
  expect(await read(folder)).toMatchObject({ meta: 'last', parts: texts })
})

test('an unusable snapshot is deleted with its parts, unless another one has replaced it', async () => {
  const folder = await temporaryFolder()
  await write(folder, { meta: 'old' })
  const old = await readManifest(folder)
  await write(folder, { meta: 'new' })
  await discardSnapshot(folder, old)
  expect((await read(folder))?.meta).toBe('new')
  await discardSnapshot(folder, await readManifest(folder))
  expect(await readdir(folder)).toEqual([])
  await writeFile(join(folder, 'manifest'), 'garbage')
  await discardSnapshot(folder, undefined)
  expect(await readdir(folder)).toEqual([])
})
