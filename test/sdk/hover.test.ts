import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { root } from '../support/processes.ts'
import { openEditor } from './hover.ts'

const head = `import { createClient } from '@skillpass/client'
const client = createClient({ baseUrl: 'http://localhost:3000' })
const { registry, oauth, platform } = client
const [hit] = (await registry.skills.resolve({ query: { task: 'x' } })).data
const meeting = await platform.meetings.get({ params: { meetingId: 1 } })
`

const fields = [
  ['registry.skills.search({ query: { ^limit: 5 } })', 'number', '1 to 50, default 20'],
  ['registry.skills.resolve({ query: { task: "x", ^threshold: 0.5 } })', 'number', '@default 0.3'],
  ['hit?.skill.^verdict', '"clean" | "notice" | "warning"', 'What the lint says'],
  ['createClient({ baseUrl: "", ^timeoutMs: 5 })', 'number', 'Milliseconds'],
] as const

const calls = [
  [
    'registry.skills.^search()',
    '(property) SkillsCalls.search: (input?: SkillsSearchInput) => Promise<SearchPage>',
    /^Search skills\.\n.*`GET \/api\/v1\/skills\/search`.*@throws ValidationError/s,
  ],
  [
    'oauth.^revoke({ body: { token: "x" } })',
    '(property) OAuthCalls.revoke: (input: OAuthRevokeInput) => Promise<RevokeResponse>',
    /Needs the id of the app.*@throws OAuthRequestError/s,
  ],
] as const

const hover = openEditor(
  head,
  [...fields, ...calls].map(([line]) => line),
)

/** The most characters that a person reads at a glance. */
const short = 400

test.each(fields)(
  'an editor shows the type and the meaning of the field in %s',
  (code, type, meaning) => {
    const { signature, text } = hover(code)
    expect(signature).toContain(type)
    expect(text).toContain(meaning)
    expect(signature.length + text.length).toBeLessThan(short)
  },
)

test.each(calls)(
  'an editor shows named types and the purpose of the call %s',
  (code, expected, meaning) => {
    const { signature, text } = hover(code)
    expect(signature).toBe(expected)
    expect(text).toMatch(meaning)
  },
)

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
