import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const document = await readFile(new URL('server/docs/security.md', root), 'utf8')

/** `| threat | defence | [file](path): "title" |`, row by row. */
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('.test.ts'))
  .map((line) => {
    const [, threat = '', defence = '', proof = ''] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim())
    const [, path = '', title = ''] = /^`([\w/.-]+\.test\.ts)`: "(.+)"$/.exec(proof) ?? []
    return { threat, defence, proof, path, title }
  })

describe('the table of threats', () => {
  test('has a row for each threat, with a defence', () => {
    expect(rows.length).toBeGreaterThan(20)
    for (const { threat, defence } of rows) expect(`${threat}: ${defence}`).toMatch(/\w.*: .*\w/)
  })

  test.each(rows)('names a test that exists: $threat', async ({ proof, path, title }) => {
    expect(proof).toMatch(/^`test\/.+\.test\.ts`: ".+"$/)
    const source = await readFile(new URL(path, root), 'utf8')
    expect(source.replaceAll("\\'", "'")).toContain(title)
  })
})
