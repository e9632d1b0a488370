import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { command, folderOf, json } from '../command.ts'
import { findProject } from '../install/folders.ts'
import { installSkill } from '../install/install-skill.ts'
import { allowWarnings, allowWithdrawn, flag, skillFrom, text } from './arguments.ts'
import { confirmVerdict, installedLine, warnReplaced } from './output.ts'

export const add = command({
  summary: 'Install a skill with all its files in this project.',
  usage: 'OWNER/REPO/SKILL[@VERSION]|NAME',
  details: `VERSION is a number, a label such as 1.4.0, a range such as ^1.2, or a dist-tag such as beta. skillpass.lock records the version and the digest of every file. Commit it, so that "skillpass install" installs the same files elsewhere. Below a folder of the same git repository that has a skillpass.lock, the skill is installed there.`,
  options: {
    to: text(
      'DIR',
      'install to DIR/SKILL, inside this project (default: .agents/skills, and also .claude/skills if the project has a .claude folder)',
    ),
    force: flag('overwrite existing folders and local changes'),
    'allow-warnings': allowWarnings,
    'allow-withdrawn': allowWithdrawn,
  },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], terminal }) {
    const { client, params, version, at } = await skillFrom(skill, terminal)
    const cwd = await realpath(folderOf(terminal))
    const { replaced, ...installed } = await installSkill(client, params, {
      ...{ version, at, allowWithdrawn: values['allow-withdrawn'] },
      project: (await findProject(cwd)) ?? cwd,
      folder: values.to === undefined ? undefined : resolve(cwd, values.to),
      force: values.force,
      accept: (found) => {
        for (const sentence of found.advice) terminal.warn(`${sentence}\n`)
        return confirmVerdict(terminal, found, values['allow-warnings'] || found.isInstalled)
      },
      env: terminal.env,
    })
    warnReplaced(terminal, replaced)
    terminal.print(values.json ? json(installed) : installedLine(installed))
  },
})
