import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeProject } from './project.ts'
import {
  address,
  digestOf,
  type MadeAnswer,
  type MadeManifest,
  manifestOf,
  startRegistry,
} from './registry.ts'

const hiddenIn = (text: string) => text.match(/[\p{Cc}\p{Cf}]/gu) ?? []

const readme = { path: 'SKILL.md', text: '---\nname: forms\ndescription: Forms.\n---\n' }

/** Adds against a registry, and holds the project and what lies beside it to being untouched. */
async function refused(registry: { url: string; stop(): void }) {
  const project = await makeProject(registry.url)
  const { code, err, out } = await project.run('add', address)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(await project.tree()).toEqual([])
  expect((await readdir(project.root)).filter((name) => name !== 'cache')).toEqual(['project'])
  return err
}

/** A manifest of truthful digest with other paths. */
const withPaths = (...paths: string[]) =>
  startRegistry([{ files: [readme, ...paths.map((path) => ({ path, text: 'x' }))] }])

describe('a registry that lies', () => {
  test.each([
    ['out of the folder', '../x'],
    ['out of the folder, further in', 'a/../../x'],
    ['an absolute path', '/etc/passwd'],
    ['a drive', 'C:/x'],
    ['backslashes', '..\\x'],
    ['a device', 'nul.txt'],
    ['a device further in', 'a/COM1/x'],
    ['an empty segment', 'a//x'],
    ['a dot', './x'],
    ['a slash at the end', 'a/'],
    ['git', '.git/hooks/pre-commit'],
    ['a line feed', 'a\nx'],
    ['an escape', 'a\u001b[2Jx'],
    ['a null byte', 'a\u0000x'],
    ['text that is turned round', 'a\u202etxt.exe'],
    ['a name taken apart', 'e\u0301'],
    ['a dot at the end', 'a./x'],
    ['an alternate stream', 'a.txt:x'],
    ['no path', ''],
    ['a long path', `${'a'.repeat(300)}`],
  ])('is refused by name, and nothing is written: %s', async (_, path) => {
    const err = await refused(await withPaths(path))
    // What could steer a terminal is written out, whatever the terminal is.
    expect(hiddenIn(err.trimEnd())).toEqual([])
  })

  test.each([
    ['twins by case', ['a.md', 'A.md'], '"A.md" differs only in case from "a.md"'],
    [
      'folders that are twins',
      ['a/x', 'A/y'],
      '"A/y" stands in a folder that differs only in case',
    ],
    ['a file that is a folder', ['a', 'a/x'], '"a/x" stands below "a", which is a file'],
    ['a second readme', ['skill.md'], '"skill.md" is the readme'],
    [
      'a folder in place of the readme',
      ['SKILL.md/x'],
      'stands below "SKILL.md", which is the readme',
    ],
    ['a folder that is its twin', ['skill.MD/x'], 'stands below "skill.MD", which is the readme'],
    ['the same path twice', ['a', 'a'], '"a" stands twice'],
  ])('is refused by name, and nothing is written: %s', async (_, paths, message) => {
    expect(await refused(await withPaths(...paths))).toContain(message)
  })

  const lies: [string, (manifest: MadeManifest) => unknown, RegExp][] = [
    [
      'another digest',
      (m) => ({ ...m, digest: `sha256:${'0'.repeat(64)}` }),
      /is said to have sha256:0{64}/,
    ],
    ['no digest', (m) => ({ ...m, digest: undefined }), /is said to have none/],
    ['a digest that steers', (m) => ({ ...m, digest: '\u001b[31m' }), /said to have \\x1b\[31m/],
    ['no SKILL.md', (m) => truthful(m, m.files.slice(1)), /must name SKILL\.md once/],
    ['SKILL.md twice', (m) => truthful(m, [...m.files, ...m.files]), /must name SKILL\.md once/],
    [
      'too large a file',
      (m) => changed(m, { size: 4 * 1024 ** 2 + 1 }),
      /"a\.md" has 4194305 bytes/,
    ],
    ['a negative size', (m) => changed(m, { size: -1 }), /"a\.md" has no size/],
    ['a size of text', (m) => changed(m, { size: '1' }), /"a\.md" has no size/],
    [
      'a short digest',
      (m) => changed(m, { digest: 'sha256:abc' }),
      /"a\.md" has no SHA-256 digest/,
    ],
    ['too many files', (m) => many(m, 513), /names 513 files; 512 are the most/],
    ['too many bytes', (m) => many(m, 6, 4 * 1024 ** 2), /bytes; 16 MiB are the most/],
    ['another sum', (m) => ({ ...m, size: 1 }), /bytes in all/],
    ['another version', (m) => ({ ...m, version: 2 }), /answers with version 2, not 1/],
    ['no files', (m) => ({ ...m, files: 'none' }), /sent no manifest/],
    ['nothing at all', () => 'nothing', /sent no manifest/],
    [
      'a prototype',
      (m) => changed(m, { path: { toString: 'x' } }),
      /the path "" must not be empty/,
    ],
  ]
  const truthful = (manifest: MadeManifest, files: MadeManifest['files']) => ({
    ...manifest,
    files,
    digest: digestOf(files),
  })
  const changed = (manifest: MadeManifest, fields: object) => ({
    ...manifest,
    files: manifest.files.map((file) => (file.path === 'a.md' ? { ...file, ...fields } : file)),
  })
  const many = (manifest: MadeManifest, count: number, size = 1) => {
    const [first] = manifest.files
    const files = Array.from({ length: count }, (_, at) => ({
      ...(first as MadeManifest['files'][number]),
      path: `f${at}`,
      size,
    }))
    return truthful(manifest, [...manifest.files.slice(0, 1), ...files])
  }

  test.each(lies)('is refused by name, and nothing is written: %s', async (_, lie, message) => {
    const files = [readme, { path: 'a.md', text: 'a' }]
    expect(await refused(await startRegistry([{ files, lie }]))).toMatch(message)
  })

  const file = `/${address}/files/a.md?version=1`
  const list = '/api/v1/skills/made-1/files?version=1'
  const elsewhere = { location: 'http://elsewhere.test/secret' }
  const answers: [string, string, MadeAnswer, RegExp][] = [
    [
      'other bytes',
      file,
      { body: 'b' },
      /a\.md of testAccounts\/skills\/forms, version 1, is not what .*sha256:3e23/,
    ],
    ['too few bytes', file, { body: '' }, /of 0 bytes instead of sha256:\w+ of 1/],
    ['too many bytes', file, { body: 'aa' }, /sends more than the 1 bytes/],
    ['endless bytes', file, { endless: true }, /sends more than the 1 bytes/],
    ['an endless manifest', list, { endless: true }, /sends more than the 4194304 bytes/],
    ['an endless readme', `/${address}?format=md`, { endless: true }, /sends more than the 524288/],
    [
      'a file elsewhere',
      file,
      { status: 302, headers: elsewhere },
      /leads on to http:\/\/elsewhere/,
    ],
    [
      'a manifest elsewhere',
      list,
      { status: 307, headers: elsewhere },
      /leads on to http:\/\/elsewhere/,
    ],
    [
      'a skill elsewhere',
      `/${address}?format=md`,
      { status: 302, headers: elsewhere },
      /leads on to/,
    ],
    [
      'a file of its own elsewhere',
      file,
      { status: 302, headers: { location: '/x' } },
      /leads on to \/x/,
    ],
    ['a page', list, { status: 502, body: '<html>' }, /was answered with 502/],
    ['no file', file, { status: 404, body: {} }, /was answered with 404/],
    [
      'no id',
      `/${address}?format=md`,
      { headers: { 'skillpass-version': '1' } },
      /does not tell id/,
    ],
    [
      'an id that is a path',
      `/${address}?format=md`,
      { headers: { 'skillpass-version': '1', 'skillpass-id': '../x' } },
      /does not tell id/,
    ],
  ]

  test.each(answers)(
    'is refused by name, and nothing is written: %s',
    async (_, url, answer, message) => {
      const files = [readme, { path: 'a.md', text: 'a' }]
      const registry = await startRegistry([{ files }], (asked) =>
        asked === url ? answer : undefined,
      )
      expect(await refused(registry)).toMatch(message)
    },
  )

  test.each([
    ['hidden', 410, 'GONE'],
    ['failing', 500, 'INTERNAL'],
    ['refusing', 400, 'VALIDATION_ERROR'],
  ])('cannot steer the terminal by what it says: %s', async (_, status, code) => {
    const message = 'No\u001b]0;owned\u0007\u202e.\nskillpass add: all is well'
    const registry = await startRegistry([], () => ({ status, body: { error: { code, message } } }))
    const err = await refused(registry)
    expect(err).toContain('No\\x1b]0;owned\\x07<U+202E>. skillpass add')
    expect(hiddenIn(err.trimEnd())).toEqual([])
  })

  test('is not asked elsewhere, whatever addresses its manifest tells', async () => {
    const registry = await startRegistry([{ files: [readme] }])
    const project = await makeProject(registry.url)
    expect(manifestOf(1, [readme]).files[0]?.url).toContain('elsewhere')
    expect(await project.run('add', address)).toMatchObject({ code: 0 })
    expect(registry.asked).toContain(`/${address}/files/SKILL.md?version=1`)
  })

  test('is followed where it says that a skill has moved, on the same host alone', async () => {
    const registry = await startRegistry([{ files: [readme] }], (url) =>
      url.startsWith('/old/skills/forms')
        ? { status: 308, headers: { location: `http://elsewhere.test/${address}` } }
        : undefined,
    )
    const project = await makeProject(registry.url)
    const { code, out } = await project.run('add', 'old/skills/forms')
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(address) })
    expect((await project.lock()).skills.forms.address).toBe(address)
  })

  test('is not followed in a circle', async () => {
    const registry = await startRegistry([], () => ({
      status: 308,
      headers: { location: `/${address}` },
    }))
    expect(await refused(registry)).toContain('which is not followed')
  })

  test('that limits how fast it is read is waited for', async () => {
    let refusals = 0
    const registry = await startRegistry(
      [{ files: [readme, { path: 'a.md', text: 'a' }] }],
      (url) =>
        url.includes('a.md') && refusals++ < 2
          ? {
              status: 429,
              headers: { 'retry-after': '1' },
              body: { error: { code: 'RATE_LIMITED', message: 'Wait.', retryAfter: 1 } },
            }
          : undefined,
    )
    const project = await makeProject(registry.url)
    expect(await project.run('add', address)).toMatchObject({ code: 0 })
    expect(registry.asked.filter((url) => url.includes('a.md'))).toHaveLength(3)
  })
})
