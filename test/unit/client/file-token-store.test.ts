import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { fileTokenStore } from '@skillpass/client/node'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../support/cleanup.ts'
import { storedTokens } from './oauth-fixture.ts'

const tokens = (n: number) => storedTokens(n, 1_795_253_460_000)

async function place() {
  const folder = await temporaryFolder()
  return { folder, path: join(folder, 'deep/tokens.json') }
}

test('a file store returns the tokens that any process saved last', async () => {
  const { path } = await place()
  const store = fileTokenStore(path)
  expect(await store.load()).toBeUndefined()
  await store.save(tokens(1))
  await store.save(tokens(2))
  expect(await fileTokenStore(path).load()).toEqual(tokens(2))
})

test('only the owner can read a file store and its folder', async () => {
  const { folder, path } = await place()
  await fileTokenStore(path).save(tokens(1))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(folder, 'deep'))).mode & 0o777).toBe(0o700)
})

test('the next save makes a file store readable only by its owner', async () => {
  const { folder } = await place()
  const path = join(folder, 'tokens.json')
  await writeFile(path, JSON.stringify(tokens(1)), { mode: 0o644 })
  await fileTokenStore(path).save(tokens(2))
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('concurrent saves leave whole tokens and no other file', async () => {
  const { folder, path } = await place()
  const store = fileTokenStore(path)
  await store.save(tokens(0))
  const saves = Array.from({ length: 30 }, (_, n) => fileTokenStore(path).save(tokens(n)))
  const loads = Array.from({ length: 30 }, () => store.load())
  await Promise.all(saves)
  for (const loaded of await Promise.all(loads)) expect(loaded?.accessToken).toMatch(/^sat_\d+$/)
  expect(await readdir(join(folder, 'deep'))).toEqual(['tokens.json'])
})

test('a file store that cannot save throws, and leaves no other file', async () => {
  const { folder } = await place()
  const path = join(folder, 'tokens.json')
  await mkdir(path)
  await expect(fileTokenStore(path).save(tokens(1))).rejects.toThrow()
  expect(await readdir(folder)).toEqual(['tokens.json'])
})

test('a file store refuses a file without tokens, and does not quote it', async () => {
  const { folder } = await place()
  const path = join(folder, 'tokens.json')
  for (const text of ['', '{}', '{"accessToken":1}', '{"accessToken":sat_1}']) {
    await writeFile(path, text)
    const error = await fileTokenStore(path)
      .load()
      .catch((error) => error)
    expect(error).toMatchObject({ message: expect.stringContaining('holds no tokens') })
    expect(inspect(error, { depth: 9 })).not.toContain('sat_1')
  }
})

test('a file store is empty after clear', async () => {
  const { path } = await place()
  const store = fileTokenStore(path)
  await store.clear?.()
  await store.save(tokens(1))
  expect(await readFile(path, 'utf8')).toContain('srt_1')
  await store.clear?.()
  expect(await store.load()).toBeUndefined()
})
