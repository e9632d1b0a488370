import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { fileTokenStore } from '@skillpass/client/node'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { storedTokens } from './oauth-fixture.ts'

const tokens = (n: number) => storedTokens(n, 1_795_253_460_000)
const folder = await temporaryFolder()
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

test('a file store returns the tokens that any process saved last, until it is cleared', async () => {
  const path = join(folder, 'last/tokens.json')
  const store = fileTokenStore(path)
  await store.clear?.()
  expect(await store.load()).toBeUndefined()
  await store.save(tokens(1))
  await store.save(tokens(2))
  expect(await fileTokenStore(path).load()).toEqual(tokens(2))
  expect(await readFile(path, 'utf8')).toContain('srt_2')
  await store.clear?.()
  expect(await store.load()).toBeUndefined()
})

test('only the owner can read a file store and its folder, even if others could before', async () => {
  const path = join(folder, 'own/tokens.json')
  await fileTokenStore(path).save(tokens(1))
  expect([await modeOf(path), await modeOf(join(folder, 'own'))]).toEqual([0o600, 0o700])
  const readable = join(folder, 'readable.json')
  await writeFile(readable, JSON.stringify(tokens(1)), { mode: 0o644 })
  await fileTokenStore(readable).save(tokens(2))
  expect(await modeOf(readable)).toBe(0o600)
})

test('concurrent and failed saves leave whole tokens and no other file', async () => {
  const path = join(folder, 'busy/tokens.json')
  const store = fileTokenStore(path)
  await store.save(tokens(0))
  const saves = Array.from({ length: 30 }, (_, n) => fileTokenStore(path).save(tokens(n)))
  const loads = Array.from({ length: 30 }, () => store.load())
  await Promise.all(saves)
  for (const loaded of await Promise.all(loads)) expect(loaded?.accessToken).toMatch(/^sat_\d+$/)
  await mkdir(join(folder, 'busy/folder'))
  await expect(fileTokenStore(join(folder, 'busy/folder')).save(tokens(1))).rejects.toThrow()
  expect((await readdir(join(folder, 'busy'))).sort()).toEqual(['folder', 'tokens.json'])
})

test('a file store refuses a file without tokens, and does not quote it', async () => {
  const path = join(folder, 'broken.json')
  for (const text of ['', '{}', '{"accessToken":1}', '{"accessToken":sat_1}']) {
    await writeFile(path, text)
    const error = await fileTokenStore(path)
      .load()
      .catch((error) => error)
    expect(error).toMatchObject({ message: expect.stringContaining('holds no tokens') })
    expect(inspect(error, { depth: 9 })).not.toContain('sat_1')
  }
})
