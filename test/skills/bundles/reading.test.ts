import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifestText } from '@skillpass/contract'
import { describe, expect, test } from 'vitest'
import { file, named, publishBundle, sha256, upload } from '../../support/bundles.ts'
import { temporaryFolder } from '../../support/cleanup.ts'
import { engines } from '../../support/databases.ts'
import { hasProgram } from '../../support/lacking.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { expectError, unique } from '../../support/skills.ts'

const files = [
  file('scripts/run.sh', '#!/bin/sh\necho hello\n', true),
  file('references/größe & weight.md', '# Größe\n'),
  file('assets/empty.txt', ''),
  file(`assets/${'long-'.repeat(24)}name.txt`, 'long\n'),
  file('assets/noise.bin', randomBytes(700_000)),
]

const hasUnpackers = hasProgram('tar', '--version') && hasProgram('unzip', '-v')

const pathTo = ({ fetchUrl }: { fetchUrl: string }) => new URL(fetchUrl).pathname

const bytesOf = async (response: Promise<Response>) =>
  new Uint8Array(await (await response).arrayBuffer())

async function fetchOk(server: TestServer, path: string, headers: Record<string, string> = {}) {
  const response = await server.http(path, { headers })
  expect(response.status, path).toBe(200)
  return response
}

describe.each(engines)('a skill with files on %s', async (engine) => {
  const server = await startTestServer({ engine })
  const agent = await server.agent('author')
  const { registry } = server.client
  const skill = await publishBundle(agent, files)
  const { data: manifest } = await registry.files.list({ params: { id: skill.id } })

  test('the manifest lists every file and SKILL.md with a digest, and has its own digest', async () => {
    const listed = manifest.files.filter(({ path }) => path !== 'SKILL.md')
    expect(listed.map(({ url: _, ...rest }) => rest)).toEqual(
      expect.arrayContaining(files.map(named)),
    )
    expect(listed).toHaveLength(files.length)
    expect(manifest.digest).toBe(`sha256:${sha256(manifestText(manifest.files))}`)
    expect(manifest.size).toBe(manifest.files.reduce((sum, { size }) => sum + size, 0))
    const { data: versions } = await registry.skills.versions({ params: { id: skill.id } })
    expect(versions.map(({ fileCount }) => fileCount)).toEqual([files.length])
  })

  test("each address in the manifest returns the file's bytes as a sandboxed attachment", async () => {
    for (const { path, bytes } of files) {
      const { url = '' } = manifest.files.find((entry) => entry.path === path) ?? {}
      const response = await fetchOk(server, url.replace('http://skillpass.test', ''))
      expect(Buffer.compare(new Uint8Array(await response.arrayBuffer()), bytes), path).toBe(0)
      expect(response.headers.get('etag')).toBe(`"sha256:${sha256(bytes)}"`)
      expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename/)
      expect(response.headers.get('content-type')).toBe('application/octet-stream')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('content-security-policy')).toContain('sandbox')
    }
  })

  test('a file request returns 304 for a matching ETag, 206 for a range and 416 for a range past the end', async () => {
    const path = `${pathTo(skill)}/files/assets/noise.bin`
    const bytes = files.at(-1)?.bytes ?? new Uint8Array()
    const etag = `"sha256:${sha256(bytes)}"`
    expect((await server.http(path, { headers: { 'If-None-Match': etag } })).status).toBe(304)
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 10],
      ['bytes=262140-262150', 262_140, 262_151],
      ['bytes=-5', bytes.length - 5, bytes.length],
      ['bytes=600000-', 600_000, bytes.length],
    ] as const) {
      const response = await server.http(path, { headers: { Range: range, 'If-Range': etag } })
      expect(response.status, range).toBe(206)
      expect(response.headers.get('content-range')).toBe(
        `bytes ${start}-${end - 1}/${bytes.length}`,
      )
      const part = new Uint8Array(await response.arrayBuffer())
      expect(Buffer.compare(part, bytes.subarray(start, end)), range).toBe(0)
    }
    for (const Range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=x']) {
      await fetchOk(server, path, { Range })
    }
    await fetchOk(server, path, { Range: 'bytes=0-9', 'If-Range': '"another"' })
    const past = await server.http(path, { headers: { Range: 'bytes=9999999-' } })
    expect(past.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
    await expectError(Promise.resolve(past), 'RANGE_NOT_SATISFIABLE')
  })

  test.skipIf(!hasUnpackers)('archives unpack to the digests, bytes and modes', async () => {
    for (const [kind, unpack] of [
      ['tarGz', (archive: string, to: string) => execFileSync('tar', ['-xzf', archive, '-C', to])],
      ['zip', (archive: string, to: string) => execFileSync('unzip', ['-q', archive, '-d', to])],
    ] as const) {
      const { url, digest, size } = manifest.archives[kind]
      const bytes = await bytesOf(server.http(url.replace('http://skillpass.test', '')))
      expect(`sha256:${sha256(bytes)}`).toBe(digest)
      expect(bytes.length).toBe(size)
      const folder = await temporaryFolder()
      const archive = join(await temporaryFolder(), 'archive')
      writeFileSync(archive, bytes)
      unpack(archive, folder)
      const found = readdirSync(folder, { recursive: true, withFileTypes: true })
      expect(found.filter((entry) => entry.isFile())).toHaveLength(files.length + 1)
      for (const { path, digest: expected, executable } of manifest.files) {
        const place = join(folder, path)
        expect(`sha256:${sha256(readFileSync(place))}`, path).toBe(expected)
        expect(statSync(place).mode & 0o777, path).toBe(executable ? 0o755 : 0o644)
      }
    }
  })

  test('an archive request returns 304 for a matching ETag', async () => {
    for (const { url, digest } of Object.values(manifest.archives)) {
      const headers = { 'If-None-Match': `"${digest}"` }
      const path = url.replace('http://skillpass.test', '')
      expect((await server.http(path, { headers })).status).toBe(304)
    }
  })

  test('former addresses of files and archives redirect with 308 to the new ones', async () => {
    const moving = await publishBundle(agent, files.slice(0, 2))
    const from = pathTo(moving)
    const body = { slug: unique('moved') }
    const { data: moved } = await agent.client.registry.skills.update({
      params: { id: moving.id },
      body,
    })
    for (const below of [
      '/files/scripts/run.sh',
      '/files/references/gr%C3%B6%C3%9Fe%20%26%20weight.md?version=1',
      '/archive.tar.gz',
      '/archive.zip?version=1',
    ]) {
      const { status, headers } = await server.http(from + below, { redirect: 'manual' })
      expect(`${status} ${headers.get('location')}`).toBe(`308 ${pathTo(moved)}${below}`)
    }
  })

  test('an unknown version, file or skill is NOT_FOUND, and a malformed version VALIDATION_ERROR', async () => {
    const at = pathTo(skill)
    for (const path of [
      `${at}/files/none.txt`,
      `${at}/files/SKILL.md?version=2`,
      `${at}/archive.tar.gz?version=99999999999`,
      `${at}x/archive.zip`,
      `${at}x/files/SKILL.md`,
      `/api/v1/skills/${skill.id}/files?version=2`,
      `/api/v1/skills/${crypto.randomUUID()}/files`,
    ]) {
      await expectError(server.http(path), 'NOT_FOUND')
    }
    for (const path of [
      `${at}/archive.zip?version=0`,
      `${at}/archive.tar.gz?version=x`,
      `${at}/files/SKILL.md?version=1.5`,
      `/api/v1/skills/${skill.id}/files?version=-1`,
    ]) {
      await expectError(server.http(path), 'VALIDATION_ERROR')
    }
  })

  test('a new readme keeps the files, an empty list removes them, and old versions keep theirs', async () => {
    const changing = await publishBundle(agent, files.slice(0, 2))
    const params = { id: changing.id }
    const { skills } = agent.client.registry
    const before = (await registry.files.list({ params })).data
    const { data: updated } = await skills.update({ params, body: { readme: '# Anew\n' } })
    expect(updated.version).toBe(2)
    const paths = async (query = {}) =>
      (await registry.files.list({ params, query })).data.files.map(({ path }) => path)
    expect(await paths()).toEqual(before.files.map(({ path }) => path))
    const { data: same } = await skills.update({
      params,
      body: { files: files.slice(0, 2).map(named), tags: ['forms'] },
    })
    expect(same.version).toBe(2)
    const more = file('scripts/run.sh', '#!/bin/sh\n', false)
    await upload(agent, [more])
    const { data: changed } = await skills.update({ params, body: { files: [named(more)] } })
    expect(changed.version).toBe(3)
    expect(changed.readme).toBe('# Anew\n')
    const { data: without } = await skills.update({ params, body: { files: [] } })
    expect(without.version).toBe(4)
    expect(await paths()).toEqual(['SKILL.md'])
    expect((await registry.files.list({ params, query: { version: 1 } })).data).toEqual(before)
  })
})
