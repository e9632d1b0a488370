import { command, json } from '../command.ts'
import { installSkill } from '../install/install-skill.ts'
import { flag, skillFrom, text } from './arguments.ts'
import { confirmVerdict, installedLine, warnReplaced } from './output.ts'

export const add = command({
  summary: 'Install a skill with all its files in this project.',
  usage: `OWNER/REPO/SKILL[@VERSION] [options]

  --to DIR           install to DIR/SKILL, inside this project (default: .agents/skills, and also
                     .claude/skills if the project has a .claude folder)
  --force            overwrite existing folders and local changes
  --allow-warnings   install without asking even if the lint found warnings
  --json             print the result as JSON`,
  details: `skillpass.lock records the version and the digest of every file. Commit it, so that
"skillpass install" installs the same files elsewhere.`,
  options: { to: text, force: flag, 'allow-warnings': flag, json: flag },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], terminal }) {
    const { client, params, version } = skillFrom(skill, terminal)
    const { replaced, ...installed } = await installSkill(client, params, {
      version,
      project: terminal.cwd,
      folder: values.to,
      force: values.force,
      accept: (found) =>
        confirmVerdict(terminal, found, values['allow-warnings'] || found.isInstalled),
      env: terminal.env,
    })
    warnReplaced(terminal, replaced)
    terminal.print(values.json ? json(installed) : installedLine(installed))
  },
})
