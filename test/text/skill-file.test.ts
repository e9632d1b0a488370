import { parseSkillFile } from '@skillpass/server/internal/text/skill-file/fields'
import { expect, test } from 'vitest'
import { words } from '../support/words.ts'

const rulesOf = (text: string, folder = 'pdf-forms') =>
  parseSkillFile(text, folder).warnings.map(({ rule }) => rule)

test.each([
  ['an unquoted colon', 'Does this: when the user says: go'],
  ['an open quote', '"Does this when the user says go'],
  ['a tab', 'a\tb: c'],
])('parseSkillFile reads invalid YAML with %s line by line, with a warning', (_, description) => {
  const text = `---\nname: pdf-forms\ndescription: ${description}\n---\n# Text\n`
  const skill = parseSkillFile(text, 'pdf-forms')
  expect(skill).toMatchObject({ name: 'pdf-forms', description })
  expect(rulesOf(text)).toContain('frontmatter-broken')
})

test("without frontmatter, the name is the folder's and the description is the first paragraph", () => {
  const text = '# Heading\n\n> quote\n\nThe first\nparagraph.\n\nThe second.\n'
  expect(parseSkillFile(text, 'PDF Forms')).toMatchObject({
    name: 'PDF Forms',
    slug: 'pdf-forms',
    description: 'The first paragraph.',
  })
  expect(rulesOf(text)).toEqual(['no-frontmatter', 'no-name', 'no-description'])
})

test.each(
  words(
    '007 0x1f 12e03 0755 1_000 0b1 0o17 .5 1e3 +1 1.10 null yes off y True 2024-01-01 1:30 .inf =',
  ),
)('a field %s of the front matter is the text that its author wrote', (value) => {
  const list = `tags: [${value}]`
  for (const tags of [list, `metadata:\n  ${list}`, `keywords:\n  - ${value}`]) {
    const text = `---\nname: ${value}\ndescription: ${value}\n${tags}\n---\n# Text\n`
    expect(parseSkillFile(text, 'folder')).toMatchObject({
      ...{ name: value, description: value, tags: [value], warnings: [] },
    })
  }
})
