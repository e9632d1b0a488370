import { expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { pageAt } from '../../support/skills.ts'

const server = await startTestServer()

test.each([
  ['page=abc', 'page=1'],
  [`page=${'9'.repeat(30)}`, 'page=1000000'],
  ['sort=nonsense', 'sort=stars'],
  [`q=++${'x'.repeat(300)}`, `q=${'x'.repeat(200)}`],
  ['q=a&q=b', 'q='],
  ['q=%00a', 'q=a'],
  ['tags=+a,,a,+b+,', 'tags=a,b'],
])('the search page replaces a malformed query by a valid one: %j', async (malformed, valid) => {
  const mainAt = async (query: string) =>
    (await pageAt(server, `/search?${query}`)).replace(/^.*<main/s, '')
  const isSame = (await mainAt(malformed)) === (await mainAt(valid))
  expect(isSame).toBe(true)
})

test('a line end of a task counts as one character, also if the form sends CRLF', async () => {
  const isRefused = async (task: string) =>
    (await pageAt(server, `/resolve?${new URLSearchParams({ task })}`)).includes(
      'Must be at most 8000 characters.',
    )
  expect(await isRefused(`a\r\n${'x'.repeat(7998)}`)).toBe(false)
  expect(await isRefused(`${'x'.repeat(7999)}\nxx`)).toBe(true)
})
