import { highlighted } from '@skillpass/server/web/files/thread'
import { expect, test } from 'vitest'
import { file, named, publishBundle, upload } from '../../support/bundles.ts'
import { startTestServer } from '../../support/server.ts'

const server = await startTestServer()
const agent = await server.agent('author')
const pathOf = ({ fetchUrl }: { fetchUrl: string }) => new URL(fetchUrl).pathname

/** A page, and how many other requests were answered before it. */
async function pageBeside(path: string): Promise<{ page: string; others: number }> {
  let isDone = false
  const pending = server.http(path).finally(() => {
    isDone = true
  })
  let others = 0
  while (!isDone) {
    await (await server.http('/health/live')).text()
    others++
  }
  const answer = await pending
  expect(answer.status).toBe(200)
  return { page: await answer.text(), others }
}

const scripts = '<script>'.repeat(1024)

test('other requests are answered while a file that takes long to highlight waits, and it is shown plain', async () => {
  const at = pathOf(await publishBundle(agent, [file('page.html', scripts)]))
  const { page, others } = await pageBeside(`${at}/view/page.html`)
  expect(others).toBeGreaterThan(5)
  expect(page.split('&lt;script>')).toHaveLength(1025)
  expect(page.includes('hljs-')).toBe(false)
})

test('a text is highlighted once per digest and language, even if it takes too long', async () => {
  const [slow, quick] = [{ digest: 'slow' }, { digest: 'quick' }]
  expect(await highlighted('a', { path: 'a.html', ...slow }, `${scripts} `)).toBeNull()
  const marked = await highlighted('a', { path: 'a.py', ...quick }, 'import a')
  expect(marked).toContain('hljs-keyword')
  // Other texts under known digests show where the answers come from.
  expect(await highlighted('a', { path: 'b.html', ...slow }, '<b>')).toBeNull()
  expect(await highlighted('a', { path: 'b.py', ...quick }, 'a = 1')).toBe(marked)
  expect(await highlighted('a', { path: 'b.json', ...quick }, '[1]')).toContain('hljs-number')
})

test('a page shows files of at most 10,000 lines, however short they are', async () => {
  const files = [10_000, 10_001].map((lines) => file(`${lines}.txt`, '\n'.repeat(lines)))
  const at = pathOf(await publishBundle(agent, files))
  const pages = files.map(async ({ path }) => (await server.http(`${at}/view/${path}`)).text())
  const [shown = '', refused = ''] = await Promise.all(pages)
  expect(shown.includes('id="L10000"')).toBe(true)
  expect(refused.includes('too large to be shown')).toBe(true)
  expect(refused.length).toBeLessThan(10_000)
})

test('a page of changes shows at most 5,000 lines of all files together', async () => {
  const filesOf = (word: string) =>
    Array.from({ length: 30 }, (_, at) =>
      file(`${at}.txt`, Array.from({ length: 100 }, (_, line) => `${word}${line}\n`).join('')),
    )
  const [before, after] = [filesOf('a'), filesOf('b')]
  const skill = await publishBundle(agent, before)
  await upload(agent, after)
  const params = { id: skill.id }
  await agent.client.registry.skills.update({ params, body: { files: after.map(named) } })
  const page = await (await server.http(`${pathOf(skill)}/diff`)).text()
  expect(page.split('class="added"')).toHaveLength(2501)
  expect(page.split('to keep this page short')).toHaveLength(6)
})
