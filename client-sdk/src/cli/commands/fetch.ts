import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { command } from '../command.ts'
import { makeFolder } from '../make-folder.ts'
import { numberFrom, skillFrom, text } from './arguments.ts'
import { warnVerdict } from './output.ts'

export const fetch = command({
  summary: 'Print or save the markdown of a skill.',
  usage: 'OWNER/REPO/SKILL[@VERSION]|NAME',
  options: {
    out: text('DIR', 'save it as DIR/SKILL.md instead of printing it'),
    version: text('N', 'version number (default: the current version)'),
  },
  arguments: [1, 1],
  async act({ values: { out, version }, args: [skill = ''], terminal }) {
    const { client, address, params, version: named, at } = await skillFrom(skill, terminal)
    const found = await client.registry.fetchSkill(params, {
      ...(version ? { version: numberFrom('--version', version) } : { version: named, at }),
    })
    warnVerdict(terminal, { ...found, address })
    const { markdown } = found
    if (!out) return terminal.data(markdown)
    await makeFolder(out)
    await writeFile(join(out, 'SKILL.md'), markdown)
    terminal.print(`${join(out, 'SKILL.md')}\n`)
  },
})
