import { pointerOf } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { pointerOf as clientsPointerOf } from '../../client-sdk/src/contract/registry/file-path.ts'

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
  'import and publish read a file %s of the text %j as the same pointer',
  (name, text, pointer) => {
    expect(pointerOf(name, text)).toEqual(pointer)
    expect(clientsPointerOf(name, text)).toEqual(pointer)
  },
)
