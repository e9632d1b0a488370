import { command, json, plain, UsageError } from '../command.ts'
import { flag, numberFrom, skillIdFrom, text } from './arguments.ts'

export const answer = command({
  summary: 'Answer what keeps a skill of yours out of resolve.',
  usage: `OWNER/REPO/SKILL|ID --text "TEXT" [options]

  --text TEXT      why the findings are harmless; every reader sees it
  --version N      the version that you have looked at; the current one without it
  --json           the answer as JSON`,
  details: `A registry may keep versions in which its lint finds certain things out of resolve until their publisher
answers, or its operator. "skillpass publish" says so when that happens.`,
  options: { text, version: text, json: flag },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], client, terminal }) {
    if (!values.text) throw new UsageError('--text is missing.')
    const { id, version: named } = await skillIdFrom(skill, terminal)
    const params = { id }
    const version =
      values.version === undefined
        ? (named ?? (await client.registry.skills.get({ params })).data.version)
        : numberFrom('--version', values.version)
    const body = { version, text: values.text }
    const { data } = await client.registry.quarantine.answer({ params, body })
    if (values.json) return terminal.print(json(data))
    const what = `version ${version} of ${plain(skill)}`
    terminal.print(
      data.held
        ? `Kept with ${what}. The operator of this registry decides whether resolve has it.\n`
        : `Kept with ${what}. Resolve has it from now on.\n`,
    )
  },
})
