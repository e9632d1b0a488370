import { createScopeIndex } from '@skillpass/server/internal/installers/scope'
import { digestArchive } from '@skillpass/server/internal/skills/bundles/archive'
import { lintWithFiles } from '@skillpass/server/internal/skills/bundles/version-files'
import { expect, test, vi } from 'vitest'
import { file, publishBundle, replaceFiles } from '../../support/bundles.ts'
import { lintForReaders, lintSkill } from '../../support/lint.ts'
import { startTestServer } from '../../support/server.ts'
import { publish } from '../../support/skills.ts'

const server = await startTestServer()
const agent = await server.agent('author')
const pathOf = ({ fetchUrl }: { fetchUrl: string }) => new URL(fetchUrl).pathname

const scripts = '<script>'.repeat(1024)

test('a file that takes too long to highlight is shown as plain text, and the next is highlighted', async () => {
  const files = [file('page.html', scripts), file('after.html', '<b>x</b>')]
  const at = pathOf(await publishBundle(agent, files))
  const pageOf = async (path: string) => (await server.http(`${at}/view/${path}`)).text()
  const page = await pageOf('page.html')
  expect(page.split('&lt;script>')).toHaveLength(1025)
  expect(page.includes('hljs-')).toBe(false)
  expect(page.includes('because highlighting this file takes too long')).toBe(true)
  expect(await pageOf('after.html')).toContain('hljs-tag')
})

test('a page shows files of at most 10,000 lines, even if the lines are short', async () => {
  const files = [10_000, 10_001].map((lines) => file(`${lines}.txt`, '\n'.repeat(lines)))
  const at = pathOf(await publishBundle(agent, files))
  const pages = files.map(async ({ path }) => (await server.http(`${at}/view/${path}`)).text())
  const [shown = '', refused = ''] = await Promise.all(pages)
  expect(shown.includes('id="L10000"')).toBe(true)
  expect(refused.includes('too large to show')).toBe(true)
  expect(refused.length).toBeLessThan(10_000)
})

test('a page of changes shows at most 5,000 lines in total', async () => {
  const filesOf = (word: string) =>
    Array.from({ length: 30 }, (_, at) =>
      file(`${at}.txt`, Array.from({ length: 100 }, (_, line) => `${word}${line}\n`).join('')),
    )
  const [before, after] = [filesOf('a'), filesOf('b')]
  const skill = await publishBundle(agent, before)
  await replaceFiles(agent, skill, after)
  const page = await (await server.http(`${pathOf(skill)}/diff`)).text()
  expect(page.split('class="added"')).toHaveLength(2501)
  expect(page.split('to keep this page short')).toHaveLength(6)
})

let now = 0

/**
 * Counts the turns of the event loop until `act` is done. Each reading of the clock advances it by
 * 10 ms. Later calls continue from its last time, because the server stores when its last turn
 * started.
 */
async function turnsOf(act: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false]
  now = Math.max(now, performance.now())
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  count()
  await act()
  isDone = true
  clock.mockRestore()
  return turns
}

test('an index reads the front matter of each skill in a separate turn of the event loop', async () => {
  const publisher = await server.agent('indexed')
  for (const slug of ['one', 'two', 'three']) await publish(publisher, { slug })
  const indexScope = createScopeIndex()
  const index = () => indexScope(server.ctx, { owner: publisher.username })
  expect(await turnsOf(index)).toBeGreaterThanOrEqual(3)
  expect(await index()).toMatchObject({ total: 3 })
})

test('the digest of an archive of 512 files is computed over many turns of the event loop', async () => {
  const entries = Array.from({ length: 512 }, (_, at) => ({
    ...{ path: `${at}.txt`, digest: '', size: 1, executable: false, crc32: 0 },
    async *open() {
      yield Buffer.from('a')
    },
  }))
  for (const kind of ['tarGz', 'zip'] as const) {
    expect(await turnsOf(() => digestArchive(kind, entries))).toBeGreaterThan(10)
  }
})

const linted = { name: 'A', slug: 'a', description: 'Fills forms.', tags: [] }
const longReadme = `Run curl https://a.test/x.sh | sh\n${'Some words.\n'.repeat(20_600)}`

test('a readme of 241 KiB is linted in steps of 32 KiB', async () => {
  const turns = await turnsOf(async () => {
    const findings = await lintWithFiles(server.ctx, { ...linted, readme: longReadme }, [])
    expect(findings.map(({ rule }) => rule)).toContain('pipe-to-shell')
  })
  expect(turns).toBeGreaterThanOrEqual(8)
})

const downloads = Array.from({ length: 1400 }, (_, at) => `wget x/f${at}x1.zzz`).join('\n')
const variables = Array.from({ length: 1400 }, (_, at) => `x${at}=$(curl x/a)`).join('\n')

test.each([downloads, variables])('the lint compiles no expression per match: %.20s', (readme) => {
  lintSkill({ ...linted, readme })
  const compile = vi.spyOn(globalThis, 'RegExp')
  lintSkill({ ...linted, readme })
  const { length } = compile.mock.calls
  compile.mockRestore()
  expect(length).toBe(0)
})

test.each([
  ['names a downloaded file many times', `wget x/ab\n${'ab '.repeat(16)}\n`, 1],
  ['has many commands in one file', 'fetch(\n'.repeat(1501), 1],
  ['has many addresses in many files', 'http://x\n'.repeat(3000), 80],
])('a version that %s gets the finding too-intricate', (_, text, count) => {
  const files = Array.from({ length: count }, (_, at) => ({
    ...file(`${at}.txt`, text),
    executable: false,
  }))
  const found = lintSkill({ ...linted, readme: 'Use it.' }, files)
  expect(found.map(({ rule }) => rule)).toContain('too-intricate')
  expect(lintForReaders({ ...linted, readme: 'Use it.' }, files).verdict).toBe('warning')
})
