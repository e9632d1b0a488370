import { findJsonFault } from '@skillpass/server/http/json-fault'
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
