import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { root } from '../support/processes.ts'

const page = await readFile(`${root}server/docs/security.md`, 'utf8')

/** Rows of the form `| threat | response | "test title" |`. */
const rows = page
  .split('\n')
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .filter((cells) => cells[3]?.startsWith('"'))
  .map(([, threat, response, title = '']) => ({ threat, response, title: title.slice(1, -1) }))

async function readTests(): Promise<string[]> {
  const folders = (await readdir(`${root}test`)).filter((name) => name !== 'node_modules')
  const paths = await Promise.all(
    folders.map(async (folder) => {
      const inside = await readdir(`${root}test/${folder}`, { recursive: true }).catch(() => [])
      return inside.map((path) => `${root}test/${folder}/${path}`)
    }),
  )
  const tests = paths.flat().filter((path) => /\.(test|long)\.ts$/.test(path))
  const sources = await Promise.all(tests.map((path) => readFile(path, 'utf8')))
  return sources.map((source) => source.replaceAll("\\'", "'"))
}

test('each threat on the security page has a response', () => {
  expect(rows.length).toBeGreaterThan(150)
  for (const { threat, response } of rows) expect(`${threat}: ${response}`).toMatch(/\w.*: .*\w/)
})

test('each title cited on the security page belongs to a test in exactly one file', async () => {
  const sources = await readTests()
  const citing = (title: string) =>
    sources.filter((source) => ["'", '"', '`'].some((q) => source.includes(q + title + q)))
  const wrong = rows.filter(({ title }) => citing(title).length !== 1).map(({ title }) => title)
  expect(wrong).toEqual([])
})
