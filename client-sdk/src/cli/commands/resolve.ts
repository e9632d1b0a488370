import { formatShare, paint } from '../../contract/terminal-text.ts'
import { VerdictError } from '../../errors.ts'
import { command, json, printable } from '../command.ts'
import { flag, numbersOf, text } from './arguments.ts'
import { addressOf, paragraph, rulesOf, warnVerdict } from './output.ts'

export const resolve = command({
  summary: 'Find the skills that serve a task, best first.',
  usage: '"TASK"',
  options: {
    fetch: flag('print the markdown of the best skill without lint warnings'),
    'allow-warnings': flag('with --fetch, accept skills with lint warnings'),
    limit: text('N', 'maximum number of skills, 1 to 50'),
    threshold: text('X', 'minimum confidence, 0 to 1'),
    long: flag('also print ids and whole descriptions'),
  },
  arguments: [1, 1],
  async act({ values, args: [task = ''], client, terminal }) {
    const { limit, threshold } = values
    const numbers = numbersOf({ limit, threshold })
    if (values.fetch) {
      const allow = values['allow-warnings'] ? 'warning' : 'notice'
      const found = await client.registry
        .resolveAndFetch(task, { threshold: numbers.threshold, allow })
        .catch(suggestAllowWarnings)
      if (!found) throw new Error('No skill serves this task.')
      warnVerdict(terminal, { ...found, address: addressOf(found.skill.fetchUrl) })
      return terminal.data(values.json ? json(found) : found.markdown)
    }
    const query = { task, ...numbers }
    const response = await client.registry.skills.resolve({ query })
    if (values.json) return terminal.print(json(response))
    if (response.data.length === 0) throw new Error('No skill serves this task.')
    for (const { skill, confidence, fetchUrl, copyOf } of response.data) {
      terminal.print(`${formatShare(confidence).padStart(5)}  ${printable(addressOf(fetchUrl))}\n`)
      terminal.print(paragraph(skill.description, 7, values.long ? undefined : terminal.columns))
      if (skill.verdict !== 'clean') {
        terminal.print(
          `       ${paint(skill.verdict)}: ${printable(rulesOf(skill.warnings).join(', '))}\n`,
        )
      }
      if (values.long) terminal.print(`       ${skill.id}\n`)
      if (copyOf) terminal.print(`       a near-copy of ${printable(addressOf(copyOf.fetchUrl))}\n`)
    }
  },
})

function suggestAllowWarnings(error: unknown): never {
  if (!(error instanceof VerdictError)) throw error
  throw new Error(
    `${printable(error.message)} Review the skill first. To print it anyway, use --allow-warnings.`,
  )
}
