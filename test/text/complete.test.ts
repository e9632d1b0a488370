import {
  installableMarkdown,
  readInstalledFields,
} from '@skillpass/server/internal/text/skill-file/complete'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { roundsOf } from '../support/rounds.ts'
import { words } from '../support/words.ts'

const record = { slug: 'pdf-forms', description: 'Fills: forms.' }
const complete = (readme: string, change: Partial<typeof record> = {}) =>
  installableMarkdown({ ...record, ...change, readme })
/** Errors and warnings of the YAML that installers read. */
const problemsOf = (text: string) => {
  const doc = parseDocument(/^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '')
  return [...doc.errors, ...doc.warnings]
}
const frontmatterOf = (text: string, version: '1.1' | '1.2'): unknown =>
  parseDocument(/^---\n([\s\S]*?)\n---/.exec(text)?.[1] ?? '', { version }).toJS()
const head = 'name: pdf-forms\ndescription: "Fills: forms."\n'

test.each([
  ['plain', '---\nname: pdf-forms\ndescription: Own.\n---\n# T\n'],
  ['CRLF', '---\r\nname: pdf-forms\r\ndescription: Own.\r\n---\r\n# T\r\n'],
  ['comments', '---\n# why\nname: "pdf-forms" # x\ndescription: >-\n  Own\n  text\n---'],
  ['other keys', '---\nmetadata:\n  b: 1\n  a: 2\ndescription: O\nname: pdf-forms\n--- \n'],
])('a readme with complete frontmatter (%s) is served unchanged', (_, readme) => {
  expect(complete(readme)).toBe(readme)
})

test('a served SKILL.md has no byte order mark', () => {
  const readme = '---\nname: pdf-forms\ndescription: Own.\n---\n# T\n'
  expect(complete(`\ufeff${readme}`)).toBe(readme)
  expect(complete('\ufeff# T\n')).toBe(`---\n${head}---\n\n# T\n`)
})

test.each([
  ['no block', '# T\n', `---\n${head}---\n\n# T\n`],
  ['an empty readme', '', `---\n${head}---\n`],
  ['an empty block', '---\n---\n# T\n', `---\n${head}---\n# T\n`],
  ['two thematic breaks instead', '---\n\nHi\n\n---\n', `---\n${head}---\n\n---\n\nHi\n\n---\n`],
  ['no name', '---\n#\ndescription: O\n---\n', '---\nname: pdf-forms\n#\ndescription: O\n---\n'],
  [
    'another name',
    '---\nlicense: MIT # c\nname: PDF   # mine\ndescription: O\n---\n# T\n',
    '---\nlicense: MIT # c\nname: pdf-forms   # mine\ndescription: O\n---\n# T\n',
  ],
  [
    'an empty description',
    '---\nname: pdf-forms\ndescription: |\n  \nx: z\n---\n',
    `---\n${head}x: z\n---\n`,
  ],
  [
    'a description of 1,025 characters',
    `---\nname: pdf-forms\ndescription: ${'x'.repeat(1025)}\n---\n`,
    `---\n${head}---\n`,
  ],
  [
    'an unquoted colon',
    '---\nname: pdf-forms\ndescription: Use: when "x"\nargument-hint: [a] [b]\n---\n# T\n',
    '---\nname: pdf-forms\ndescription: "Use: when \\"x\\""\nargument-hint: "[a] [b]"\n---\n# T\n',
  ],
  [
    'a repeated key',
    '---\nname: pdf-forms\ndescription: O\nlicense: MIT\nlicense: ISC\n---\n# T\n',
    '---\nname: pdf-forms\ndescription: O\nlicense: MIT\n---\n# T\n',
  ],
  [
    'a second document',
    '---\nname: pdf-forms\ndescription: O\n...\nx: y\n---\n',
    `---\n${head}---\n\n---\nname: pdf-forms\ndescription: O\n...\nx: y\n---\n`,
  ],
])("frontmatter with %s is completed from the skill's fields", (_, readme, expected) => {
  expect(complete(readme)).toBe(expected)
})

const typed = ['true', 'no', 'null', '2048', '1e3', '2024-01-01', '0x1f']
test.each(typed)('the slug %s, which YAML reads as another type, is quoted', (slug) => {
  const text = complete('# T\n', { slug })
  expect(text).toContain(`name: "${slug}"\n`)
  expect(readInstalledFields(text)?.name).toBe(slug)
})

/** Plain scalars that readers of YAML 1.1 or 1.2 take for something other than the text written. */
const otherTypes = words(`007 0x1f 12e03 0755 08 1_000 0b1 0o17 .5 1e3 +1 1.10 1:30 2024-01-01
  2001-12-14t21:59:43.10-05:00 .inf -.INF .nan = << yes No on OFF y N 1__0`)

test.each([...otherTypes, '2048', '~', 'null', 'True', 'false'])(
  'readers of YAML 1.1 and 1.2 read %s in every text of a served SKILL.md as its author wrote it',
  (value) => {
    const tags = `tags: [${value}, a]\nkeywords:\n  - ${value}`
    const text = complete(
      `---\nname: ${value}\ndescription: ${value} # c\n${tags}\nlicense: ${value}\n---\n`,
      { slug: value.toLowerCase() },
    )
    for (const version of ['1.1', '1.2'] as const) {
      expect(frontmatterOf(text, version)).toEqual({
        name: value.toLowerCase(),
        description: value,
        tags: [value, 'a'],
        keywords: [value],
        license: value,
      })
    }
  },
)

test.each(otherTypes)('readers of YAML 1.1 and 1.2 read %s below another field alike', (value) => {
  const key = value === '<<' ? 'key' : value
  const nested = `x:\n  ${key}: &a ${value}\n  b: {${key}: ${value}, c: !!str ${value}}\n`
  const text = complete(`---\nname: pdf-forms\ndescription: a\n${nested}---\n`)
  const read = { [key]: value, b: { [key]: value, c: value } }
  for (const version of ['1.1', '1.2'] as const) {
    expect(frontmatterOf(text, version)).toMatchObject({ x: read })
  }
})

test('a served SKILL.md keeps the values that all readers of YAML read alike', () => {
  const values = 'x: &a {a: true, b: 30, c: 1.5, d: ~, e: }\nz:\n  <<: *a\n  internal: False\n'
  const readme = `---\nname: pdf-forms\ndescription: a\n${values}---\n`
  expect(complete(readme)).toBe(readme)
})

test.each([
  ['marks', '*'],
  ['lines', '\n a'],
])('frontmatter with more than 400 %s is not parsed and stays below the new one', (_, part) => {
  const readmeOf = (count: number) => `---\nx: y${part.repeat(count)}\n---\n# T\n`
  expect(complete(readmeOf(50))).not.toContain(readmeOf(50))
  expect(complete(readmeOf(401))).toBe(`---\n${head}---\n\n${readmeOf(401)}`)
})

const line = fc.constantFrom(
  ...['---', '--- ', '----', '---x', '', 'name: a', 'name: pdf-forms', 'description: b: c'],
  ...['description: d', '  more', '\tx', '# c', '- i', 'x: [', '{', '}', '? k', ': v', '"'],
  ...["'", 'a: &b *c', '...', '%YAML 1.2', '!!x y', '\ufeff', '\u2028', '\ud800', 'x: |', '\r'],
)
const readmes = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, opened]) => (opened ? ['---', ...lines] : lines).join(end))

test('a served SKILL.md is installable and does not change when it is completed again', () => {
  const texts = fc.string({ unit: 'binary', maxLength: 30 })
  fc.assert(
    fc.property(readmes, texts, (readme, description) => {
      const once = complete(readme, { description })
      const fields = readInstalledFields(once)
      expect(problemsOf(once)).toEqual([])
      expect(fields?.name).toBe(record.slug)
      expect(fields?.description.trim()).not.toBe('')
      expect(complete(once, { description })).toBe(once)
    }),
    { numRuns: roundsOf(100) },
  )
})
