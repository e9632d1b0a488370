import { command, json } from '../command.ts'
import { installSkill } from '../install/install-skill.ts'
import { flag, skillFrom, text } from './arguments.ts'
import { acceptVerdict, sentenceOf, warnReplaced } from './shown.ts'

export const add = command({
  summary: 'Install a skill, with all its files, in this project.',
  usage: `OWNER/REPO/SKILL[@VERSION] [options]

  --to DIR         folder of this project that gets it, as DIR/SKILL; by default .agents/skills,
                   and .claude/skills where the project has a .claude
  --force          replace what is there, and files that you have changed
  --allow-warnings install a skill that the lint warns of, without asking
  --json           what was installed as JSON`,
  details: `skillpass.lock keeps the version and the digest of every file. Commit it: "skillpass install"
installs the same elsewhere.`,
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
        acceptVerdict(terminal, found, values['allow-warnings'] || found.isInstalled),
      env: terminal.env,
    })
    warnReplaced(terminal, replaced)
    terminal.print(values.json ? json(installed) : sentenceOf(installed))
  },
})
