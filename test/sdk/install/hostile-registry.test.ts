import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeProject } from './project.ts'
import {
  address,
  digestOf,
  type StubManifest,
  type StubResponse,
  startRegistry,
} from './registry.ts'

const hiddenIn = (text: string) => text.match(/[\p{Cc}\p{Cf}]/gu) ?? []

const readme = { path: 'SKILL.md', text: '---\nname: forms\ndescription: Forms.\n---\n' }

/** Runs `add` and expects that it fails and writes nothing, neither in the project nor outside. */
async function refused(registry: { url: string; stop(): void }) {
  const project = await makeProject(registry.url)
  const { code, err, out } = await project.run('add', address)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(await project.tree()).toEqual([])
  expect((await readdir(project.root)).filter((name) => name !== 'cache')).toEqual(['project'])
  return err
}

/** Starts a registry whose manifest has these paths and a correct digest. */
const withPaths = (...paths: string[]) =>
  startRegistry([{ files: [readme, ...paths.map((path) => ({ path, text: 'x' }))] }])

test.each([
  ...['../x', 'a/../../x', '/etc/passwd', 'C:/x', '..\\x', 'nul.txt', 'a/COM1/x', 'a//x', './x'],
  ...['a/', '.git/hooks/pre-commit', 'a\nx', 'a\u001b[2Jx', 'a\u0000x', 'a\u202etxt.exe'],
  ...['e\u0301', 'a./x', 'a.txt:x', '', 'a'.repeat(300)],
])('add refuses a manifest with the path %j, and writes nothing', async (path) => {
  const err = await refused(await withPaths(path))
  expect(hiddenIn(err.trimEnd())).toEqual([])
})

test.each([
  [['a.md', 'A.md'], '"A.md" differs only in case from "a.md"'],
  [['a', 'a/x'], '"a/x" is below "a", which is a file'],
  [['skill.MD/x'], 'is below "skill.MD", which is the readme'],
])('add refuses a manifest with the conflicting paths %j by name', async (paths, message) => {
  expect(await refused(await withPaths(...paths))).toContain(message)
})

const lies: [string, (manifest: StubManifest) => unknown, RegExp][] = [
  ['no digest', (m) => ({ ...m, digest: undefined }), /instead of none/],
  ['a control character', (m) => ({ ...m, digest: '\u001b[31m' }), /instead of \\x1b\[31m/],
  ['no SKILL.md', (m) => truthful(m, m.files.slice(1)), /must contain SKILL\.md once/],
  ['a large file', (m) => changed(m, { size: 4 * 1024 ** 2 + 1 }), /"a\.md" has 4194305 bytes/],
  ['a short digest', (m) => changed(m, { digest: 'sha256:a' }), /"a\.md" has no SHA-256 digest/],
  ['too many files', (m) => many(m, 513), /has 513 files; the limit is 512/],
  ['too many bytes', (m) => many(m, 6, 4 * 1024 ** 2), /bytes; the limit is 16 MiB/],
  ['another total size', (m) => ({ ...m, size: 1 }), /bytes in total/],
  ['another version', (m) => ({ ...m, version: 2 }), /returned version 2 instead of 1/],
  ['no content at all', () => 'nothing', /sent no manifest/],
  ['an object as a path', (m) => changed(m, { path: { toString: 'x' } }), /the path "" must not/],
]
const truthful = (manifest: StubManifest, files: StubManifest['files']) => ({
  ...manifest,
  files,
  digest: digestOf(files),
})
const changed = (manifest: StubManifest, fields: object) => ({
  ...manifest,
  files: manifest.files.map((file) => (file.path === 'a.md' ? { ...file, ...fields } : file)),
})
const many = (manifest: StubManifest, count: number, size = 1) => {
  const [first] = manifest.files
  const files = Array.from({ length: count }, (_, at) => ({
    ...(first as StubManifest['files'][number]),
    path: `f${at}`,
    size,
  }))
  return truthful(manifest, [...manifest.files.slice(0, 1), ...files])
}

test.each(lies)('add refuses a manifest with %s, and writes nothing', async (_, lie, message) => {
  const files = [readme, { path: 'a.md', text: 'a' }]
  expect(await refused(await startRegistry([{ files, lie }]))).toMatch(message)
})

const file = `/${address}/files/a.md?version=1`
const list = '/api/v1/skills/made-1/files?version=1'
const raw = `/${address}?format=md`
const redirect = (location: string) => ({ status: 302, headers: { location } })
const version = { 'skillpass-version': '1' }
const responses: [string, string, StubResponse, RegExp][] = [
  ['other bytes', file, { body: 'b' }, /a\.md of .*, version 1, does not match .*3e23/],
  ['endless bytes', file, { endless: true }, /is longer than 1 bytes/],
  ['an endless manifest', list, { endless: true }, /is longer than 4194304 bytes/],
  ['a redirect of a file', file, redirect('http://elsewhere.test'), /redirects to http:/],
  ['an HTML error page', list, { status: 502, body: '<html>' }, /returned 502/],
  ['status 404 for a file', file, { status: 404, body: {} }, /returned 404/],
  ['no skill id', raw, { headers: version }, /did not send the id/],
  ['a path as id', raw, { headers: { ...version, 'skillpass-id': '../x' } }, /did not send the id/],
]

test.each(responses)('add rejects %s, and writes nothing', async (_, url, response, message) => {
  const files = [readme, { path: 'a.md', text: 'a' }]
  const registry = await startRegistry([{ files }], (requested) =>
    requested === url ? response : undefined,
  )
  expect(await refused(registry)).toMatch(message)
})

test('an error message of a registry cannot control the terminal', async () => {
  const message = 'No\u001b]0;owned\u0007\u202e.\nskillpass add: all is well'
  for (const [status, code] of [
    [500, 'INTERNAL'],
    [400, 'VALIDATION_ERROR'],
  ] as const) {
    const registry = await startRegistry([], () => ({ status, body: { error: { code, message } } }))
    const err = await refused(registry)
    expect(err).toContain('No\\x1b]0;owned\\x07<U+202E>. skillpass add')
    expect(hiddenIn(err.trimEnd())).toEqual([])
  }
})

test('add follows a moved skill only on the same host, and stops at circular redirects', async () => {
  let location = `http://elsewhere.test/${address}`
  const registry = await startRegistry([{ files: [readme] }], (url) =>
    url.startsWith('/old/skills/forms') ? { status: 308, headers: { location } } : undefined,
  )
  const project = await makeProject(registry.url)
  expect(await project.succeed('add', 'old/skills/forms')).toContain(address)
  expect((await project.lock()).skills.forms.address).toBe(address)
  location = '/old/skills/forms'
  expect(await project.fail('add', 'old/skills/forms')).toContain('which is not allowed')
})
