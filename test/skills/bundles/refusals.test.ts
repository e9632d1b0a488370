import { expect, test } from 'vitest'
import { file, named, publishBundle, sha256, upload } from '../../support/bundles.ts'
import { startTestServer } from '../../support/server.ts'
import { ask, expectError, serverForTest, unique } from '../../support/skills.ts'

/** Invalid paths, with a part of the error message. */
const badPaths: readonly (readonly [path: string, problem: RegExp])[] = [
  ['', /must not be empty/],
  ['/etc/passwd', /relative/],
  ['../outside.txt', /"\.\."/],
  ['./a.txt', /"\."/],
  ['a//b.txt', /empty segments/],
  ['C:/windows/a.txt', /control or invisible|: "/],
  ['a\\b.txt', /\\/],
  ['a.txt:stream', /< > :/],
  ['nul', /device/],
  ['docs/CON.txt', /device/],
  ['com¹.txt', /device/],
  ['trailing.', /end with a space or a dot/],
  [' leading.txt', /begin with a space/],
  ['.git/config', /\.git/],
  ['sub/.GIT/hooks/pre-commit', /\.git/],
  ['git~1/config', /\.git/],
  ['a\u0000b', /control|NUL/],
  ['a\u001b[31mb', /control/],
  ['a\u202eb.txt', /invisible/],
  ['a\ud800.txt', /invisible|surrogate/],
  ['cafe\u0301.txt', /Normalization Form C/],
  [`${'ä'.repeat(128)}`, /255 bytes/],
]

/** Lists of paths that are valid alone but not together. */
const badLists: readonly (readonly [paths: readonly string[], problem: RegExp])[] = [
  [['SKILL.md'], /is the readme/],
  [['SKILL.md/a.txt'], /is below "SKILL.md", which is the readme/],
  [['a.txt', 'a.txt'], /twice/],
  [['a.txt', 'A.txt'], /only in case/],
  [['straße.txt', 'STRASSE.txt'], /only in case/],
  [['Docs/a.txt', 'docs/b.txt'], /folder that differs only in case/],
  [['a', 'a/b.txt'], /is a file/],
  [['a/b.txt', 'a'], /name of a folder/],
]

const server = await startTestServer()
const agent = await server.agent('author')
const one = file('a.txt', 'one')
await upload(agent, [one])
const { digest, size } = named(one)
const key = agent.apiKey

const publish = (files: unknown) =>
  ask(server, 'POST', '/api/v1/skills', {
    key,
    body: { name: 'x', slug: unique('refused'), files },
  })
const refused = async (files: unknown) => {
  const { details } = await expectError(publish(files), 'VALIDATION_ERROR')
  return details?.map(({ path, message }) => `${path} ${message}`).join('\n') ?? ''
}

test.each(badPaths)('the path %j is refused by name', async (path, problem) => {
  const details = await refused([
    { path: 'good.txt', digest, size },
    { path, digest, size },
  ])
  expect(details).toMatch(/^files\.1\.path /)
  expect(details).toMatch(problem)
  expect(details).toContain(JSON.stringify(path).slice(0, 40))
})

test.each(badLists)('the paths %j are refused together', async (paths, problem) => {
  const details = await refused(paths.map((path) => ({ path, digest, size })))
  expect(details).toMatch(problem)
  expect(details).toContain(JSON.stringify(paths.at(-1)))
})

test('files whose bytes are missing or have another size are refused with their path', async () => {
  const absent = named(file('absent.txt', unique('absent')))
  const details = await refused([{ path: 'a.txt', digest, size }, absent])
  expect(details).toContain('files.1.digest "absent.txt" has not been uploaded')
  expect(details).toContain(`PUT /api/v1/blobs/${absent.digest.slice(7)}`)
  expect(await refused([{ path: 'a.txt', digest, size: size + 1 }])).toContain(
    `files.0.size "a.txt" has ${size} bytes, not ${size + 1}`,
  )
})

test('an upload whose bytes do not match its digest stores nothing', async () => {
  const wanted = sha256(unique('wanted'))
  const answer = ask(server, 'PUT', `/api/v1/blobs/${wanted}`, { key, body: 'others' })
  const { message } = await expectError(answer, 'VALIDATION_ERROR')
  expect(message).toContain(sha256('others'))
  const named = [{ path: 'a.txt', digest: `sha256:${wanted}`, size: 6 }]
  expect(await refused(named)).toContain('has not been uploaded')
})

test('an upload is refused with a malformed digest, and beyond 4 MiB', async () => {
  for (const digest of ['x', sha256('x').toUpperCase(), `sha256:${sha256('x')}`]) {
    const answer = ask(server, 'PUT', `/api/v1/blobs/${digest}`, { key, body: 'x' })
    await expectError(answer, 'VALIDATION_ERROR')
  }
  const large = new Uint8Array(4 * 1024 ** 2 + 1)
  const send = (body: NonNullable<RequestInit['body']>) =>
    server.http(`/api/v1/blobs/${sha256(large)}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}` },
      body,
      duplex: 'half',
    } as RequestInit)
  await expectError(send(large), 'PAYLOAD_TOO_LARGE')
  const pieces = [large.subarray(0, large.length - 1), large.subarray(large.length - 1)]
  const streamed = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  await expectError(send(streamed), 'PAYLOAD_TOO_LARGE')
})

test('the daily quota of bytes counts new bytes only, and its header shows the remaining bytes', async () => {
  const limited = await serverForTest({ quotas: { files: 10 } })
  const author = await limited.agent('author')
  const put = (text: string) =>
    ask(limited, 'PUT', `/api/v1/blobs/${sha256(text)}`, { key: author.apiKey, body: text })
  for (const text of ['123456', '123456']) {
    const response = await put(text)
    expect(response.status).toBe(200)
  }
  await expectError(put('78901'), 'RATE_LIMITED')
  expect((await put('7890')).headers.get('ratelimit')).toContain('"files";r=0;')
  limited.clock.advance(86_400_000)
  expect((await put('78901')).status).toBe(200)
})

test('bytes are removed a day after the last version that uses them', async () => {
  const [unused, used] = [file('unused.txt', unique('unused')), file('used.txt', unique('used'))]
  await upload(agent, [unused])
  const skill = await publishBundle(agent, [used])
  server.clock.advance(86_000_000)
  await server.runJob('removing old records')
  const second = await publishBundle(agent, [unused])
  server.clock.advance(2 * 86_400_000)
  await server.runJob('removing old records')
  for (const [{ id, slug }, { path, bytes }] of [
    [skill, used],
    [second, unused],
  ] as const) {
    const params = { owner: agent.username, repo: 'skills', skill: slug, path }
    const read = await server.client.registry.rawSkill.file({ params })
    expect(Buffer.compare(read, bytes), id).toBe(0)
  }
  const { skills } = agent.client.registry
  await skills.delete({ params: { id: second.id } })
  server.clock.advance(31 * 86_400_000)
  await server.runJob('removing old records')
  server.clock.advance(2 * 86_400_000)
  await server.runJob('removing old records')
  expect(await refused([named(unused)])).toContain('has not been uploaded')
  expect((await publishBundle(agent, [used])).version).toBe(1)
})
