import { command, json, printable, UsageError } from '../command.ts'
import { numberFrom, skillIdFrom, text } from './arguments.ts'

export const answer = command({
  summary: 'Explain lint findings that keep your skill out of resolve.',
  usage: 'OWNER/REPO/SKILL|NAME|ID --text "TEXT"',
  details: `A registry may exclude a version with severe lint findings from resolve until the publisher answers or an operator releases it. "skillpass publish" tells you when this happens.`,
  options: {
    text: text('TEXT', 'explain why the findings are harmless; the text is public'),
    version: text('N', 'the version you checked (default: the current version)'),
  },
  arguments: [1, 1],
  async act({ values, args: [skill = ''], terminal }) {
    if (!values.text) throw new UsageError('--text is required.')
    const { id, client, version: named } = await skillIdFrom(skill, terminal)
    const params = { id }
    const version =
      values.version === undefined
        ? (named ?? (await client.registry.skills.get({ params })).data.version)
        : numberFrom('--version', values.version)
    const body = { version, text: values.text }
    const { data } = await client.registry.quarantine.answer({ params, body })
    if (values.json) return terminal.print(json(data))
    const what = `version ${version} of ${printable(skill)}`
    terminal.print(
      data.held
        ? `Saved your answer for ${what}. The operator decides whether resolve includes it.\n`
        : `Saved your answer for ${what}. Resolve includes it now.\n`,
    )
  },
})
