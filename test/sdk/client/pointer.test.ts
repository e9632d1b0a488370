import { expect, test } from 'vitest'
import { pointerOf } from '../../../client-sdk/src/cli/folder/pointer.ts'

const sure = (path: string) => ({ path, isSure: true })
const maybe = (path: string) => ({ path, isSure: false })

test.each([
  ['SKILL.md', '../real/SKILL.md', sure('../real/SKILL.md')],
  ['SKILL.md', '../real/text.md\n', sure('../real/text.md')],
  ['skill.MD', 'real/skill.md\r\n', sure('real/skill.md')],
  ['SKILL.md', 'docs/real.md', maybe('docs/real.md')],
  ['SKILL.md', '# Fill forms', maybe('# Fill forms')],
  ['notes.md', '../SKILL.md', maybe('../SKILL.md')],
  ['notes.md', 'docs/real.md\n', undefined],
  ['SKILL.md', '/etc/passwd', undefined],
  ['SKILL.md', '---\nname: x\n---\n', undefined],
  ['SKILL.md', 'C:\\skills\\SKILL.md', undefined],
  ['SKILL.md', '', undefined],
])(
  'publish reads a file %s of the text %j as the pointer that Git writes',
  (name, text, pointer) => {
    expect(pointerOf(name, text)).toEqual(pointer)
  },
)
