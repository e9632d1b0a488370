import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const document = await readFile(new URL('server/docs/security.md', root), 'utf8')

/** `| threat | defence | [file](path): "title" |`, row by row. */
const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| ') && /\.(test|long)\.ts/.test(line))
  .map((line) => {
    const [, threat = '', defence = '', proof = ''] = line
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim())
    return { threat, defence, proof }
  })

test('each row of the table of threats has a defence', () => {
  expect(rows.length).toBeGreaterThan(20)
  for (const { threat, defence } of rows) expect(`${threat}: ${defence}`).toMatch(/\w.*: .*\w/)
})

test('each row of the table of threats names a test that exists', async () => {
  const missing: string[] = []
  for (const { proof } of rows) {
    const [, path, title = ''] = /^`(test\/[\w/.-]+\.(?:test|long)\.ts)`: "(.+)"$/.exec(proof) ?? []
    const source = path && (await readFile(new URL(path, root), 'utf8').catch(() => undefined))
    if (!source?.replaceAll("\\'", "'").includes(title)) missing.push(proof)
  }
  expect(missing).toEqual([])
})
