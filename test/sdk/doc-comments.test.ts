import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../support/processes.ts'

test('every field of the generated client has a doc comment', () => {
  const folder = join(root, 'client-sdk/src/generated')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const silent = files
    .filter((file) => /^(schemas|calls)\/.*\.ts$/.test(file))
    .flatMap((file) => silentFields(file, readFileSync(join(folder, file), 'utf8')))
  expect(silent).toEqual([])
})

/** Fields of interfaces without a doc comment. The parts of an input need none. */
function silentFields(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.ES2022, true)
  const silent: string[] = []
  const parts = new Set(['params', 'query', 'body', 'headers', "'if-none-match'"])
  const visit = (node: ts.Node) => {
    if (ts.isPropertySignature(node) && ts.getJSDocCommentsAndTags(node).length === 0) {
      const name = node.name.getText()
      if (!parts.has(name)) silent.push(`${file}: ${name}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return silent
}
