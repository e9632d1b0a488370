import { VerdictError } from '../../errors.ts'
import { command, json, printable } from '../command.ts'
import { flag, numbersOf, text } from './arguments.ts'
import { addressOf, paragraph, rulesOf, warnVerdict } from './output.ts'

export const resolve = command({
  summary: 'Find the skills that serve a task, best first.',
  usage: `"TASK" [options]

  --fetch            print the markdown of the best skill without lint warnings
  --allow-warnings   with --fetch, accept skills with lint warnings
  --limit N          maximum number of skills, 1 to 50
  --threshold X      minimum confidence, 0 to 1
  --json             print the result as JSON`,
  options: { fetch: flag, 'allow-warnings': flag, limit: text, threshold: text, json: flag },
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
      terminal.print(`${confidence.toFixed(2)}  ${printable(addressOf(fetchUrl))}\n`)
      terminal.print(paragraph(skill.description, 6))
      if (skill.verdict !== 'clean') {
        terminal.print(`      ${skill.verdict}: ${printable(rulesOf(skill.warnings).join(', '))}\n`)
      }
      if (copyOf) terminal.print(`      a near-copy of ${printable(addressOf(copyOf.fetchUrl))}\n`)
    }
  },
})

function suggestAllowWarnings(error: unknown): never {
  if (!(error instanceof VerdictError)) throw error
  throw new Error(
    `${printable(error.message)} Review the skill first. To print it anyway, use --allow-warnings.`,
  )
}
