import { readResolveForm, readSearchQuery } from '@skillpass/server/internal/web/registry/queries'
import { expect, test } from 'vitest'

test.each([
  [{ page: 'abc' }, { page: 1 }],
  [{ page: '9'.repeat(30) }, { page: 1_000_000 }],
  [{ sort: 'nonsense' }, { sort: 'stars' }],
  [{ q: `  ${'x'.repeat(300)}` }, { q: 'x'.repeat(200) }],
  [{ q: ['a', 'b'] }, { q: '' }],
  [{ q: '\u0000a\ud800' }, { q: 'a\ufffd' }],
  [{ tags: ' a,,a, b ,' }, { tags: ['a', 'b'] }],
])('a malformed search query is replaced by a valid one: %j', (query, read) => {
  expect(readSearchQuery(query)).toMatchObject(read)
})

test('a line end of a task counts as one character, also if the form sends CRLF', () => {
  const { query } = readResolveForm({ task: `a\r\n${'x'.repeat(7998)}` })
  expect(query?.task).toHaveLength(8000)
  expect(readResolveForm({ task: `${'x'.repeat(7999)}\nxx` }).issues).toEqual({
    task: 'Must be at most 8000 characters.',
  })
})
