import { existsSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@skillpass/server/runtime/make-folder'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'

test('many calls at once make a folder with what is missing above it, and leave what is there', async () => {
  const above = await temporaryFolder()
  const folder = join(above, 'a/b/c')
  await Promise.all(Array.from({ length: 20 }, () => makeFolder(folder)))
  await writeFile(join(folder, 'kept'), '')
  await makeFolder(folder)
  await makeFolder(above)
  await makeFolder('.')
  expect((await stat(join(folder, 'kept'))).isFile()).toBe(true)
})

test('a folder below a file, or in place of one, is refused', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')
  await expect(makeFolder(file)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(file, 'a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
})

test.skipIf(!existsSync('/proc/self'))(
  'a folder in a file system that takes none fails',
  async () => {
    await expect(makeFolder('/proc/skillpass')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(makeFolder('/proc/skillpass/a/b')).rejects.toMatchObject({ code: 'ENOENT' })
  },
)
