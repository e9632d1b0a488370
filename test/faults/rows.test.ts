import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { rows } from './rows.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('every row of the faults has its number and a name of its own, and runs tests that exist', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  const missing = rows.flatMap(({ files }) => files).filter((file) => !existsSync(root + file))
  expect(missing).toEqual([])
})
