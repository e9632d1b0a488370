import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@skillpass/server/runtime/make-folder'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'

test('makes what is missing above a folder, by many at once, and leaves what is there', async () => {
  const above = await temporaryFolder()
  const folder = join(above, 'a/b/c')
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(folder)))
  await writeFile(join(folder, 'kept'), '')
  await makeFolder(folder)
  await makeFolder(above)
  await makeFolder('.')
  expect((await stat(join(folder, 'kept'))).isFile()).toBe(true)
})

test('refuses a path through a file, and a file in its place', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(file, 'a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.skipIf(!existsSync('/proc/self'))('fails where nothing can be made', async () => {
  await expect(makeFolder('/proc/skillpass')).rejects.toMatchObject({ code: 'ENOENT' })
  await expect(makeFolder('/proc/skillpass/a/b')).rejects.toMatchObject({ code: 'ENOENT' })
})
