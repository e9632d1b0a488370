import { parseSkillFile } from '@skillpass/server/skills/frontmatter/skill-file'
import { expect, test } from 'vitest'
import { splitAtBars } from '../support/words.ts'

const rulesOf = (text: string, folder = 'pdf-forms') =>
  parseSkillFile(text, folder).warnings.map(({ rule }) => rule)

test('parseSkillFile reads name, description and tags, and keeps the file unchanged', () => {
  const text =
    '---\nname: pdf-forms\ndescription: >-\n  Fills PDF\n  forms.\n' +
    'compatibility: Needs Python\nmetadata:\n  tags: pdf, forms\n---\n# Text\n'
  expect(parseSkillFile(text, 'pdf-forms')).toEqual({
    name: 'pdf-forms',
    slug: 'pdf-forms',
    description: 'Fills PDF forms.',
    tags: ['pdf', ' forms'],
    readme: text,
    warnings: [],
  })
})

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

test('parseSkillFile accepts every YAML', () => {
  for (const yaml of splitAtBars('[¦a: *b¦? ¦- a¦5¦a: &a [*a]¦{¦!!x y¦\0¦a: 1\na: 2')) {
    expect(parseSkillFile(`---\n${yaml}\n---\n`, 'x').slug).toBe('x')
  }
})
