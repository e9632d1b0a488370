import { parseSkillFile } from '@skillpass/server/skills/frontmatter/skill-file'
import { expect, test } from 'vitest'

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
