import { findJsonFault } from '@skillpass/server/http/json-fault'
import fc from 'fast-check'
import { expect, test } from 'vitest'

test('a JSON error names the line, the column and what was found', () => {
  const cases: [text: string, line: number, column: number, found: string][] = [
    ['', 1, 1, 'end'],
    ['{', 1, 2, 'end'],
    ['{"a": 1,}', 1, 9, '"}"'],
    ['{"a" 1}', 1, 6, '"1"'],
    ["{'a': 1}", 1, 2, '"\'"'],
    ['{"a": 1\n  "b": 2}', 2, 3, '"\\""'],
    ['{"a": 1}\r\n}', 2, 1, '"}"'],
    ['[1, 2,]', 1, 7, '"]"'],
    ['[01]', 1, 2, '"0"'],
    ['[1.]', 1, 2, '"1"'],
    ['{"a": undefined}', 1, 7, '"u"'],
    ['{"a": "line\nbreak"}', 1, 12, '"\\n"'],
    ['{"a": "\\x"}', 1, 8, '"\\\\"'],
    ['{"a": "open', 1, 12, 'end'],
    ['{"a": 🦉}', 1, 7, '"🦉"'],
    ['[[[1}]]', 1, 5, '"}"'],
  ]
  for (const [text, line, column, found] of cases) {
    expect(findJsonFault(text), text).toEqual({ line, column, found })
  }
})

test('a JSON error is found in every text that JSON.parse refuses, and in no other', () => {
  const token = fc.constantFrom(...'{ } [ ] , : "a" " \\ 1 - .5 e3 true nul'.split(' '), ' ', '\n')
  const text = fc.oneof(
    fc.array(token, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.json(),
    fc.tuple(fc.json(), fc.nat(), fc.string()).map(([json, at, more]) => {
      const place = at % (json.length + 1)
      return json.slice(0, place) + more + json.slice(place + 1)
    }),
  )
  fc.assert(
    fc.property(text, (json) => {
      expect(findJsonFault(json) === undefined, json).toBe(isJson(json))
    }),
    { numRuns: 500 },
  )
})

test('a JSON error is found in a text as large and as deep as a body may be', () => {
  const deep = '['.repeat(1024 * 1024 - 1)
  expect(findJsonFault(deep)).toEqual({ line: 1, column: deep.length + 1, found: 'end' })
  const long = `"${'\\n'.repeat(500_000)}`
  expect(findJsonFault(long)?.column).toBe(long.length + 1)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
