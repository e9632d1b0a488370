import { VerdictError } from '../../errors.ts'
import { command, json, plain } from '../command.ts'
import { flag, numbersOf, text } from './arguments.ts'
import { addressOf, rulesOf, warnOf } from './shown.ts'

export const resolve = command({
  summary: 'Find the skills that serve a task, best first.',
  usage: `"TASK" [options]

  --fetch          print the markdown of the best skill without warnings
  --allow-warnings with --fetch, also of a skill that the lint warns of
  --limit N        how many to list, 1 to 50
  --threshold X    least confidence, 0 to 1
  --json           the answer as JSON`,
  options: { fetch: flag, 'allow-warnings': flag, limit: text, threshold: text, json: flag },
  arguments: [1, 1],
  async act({ values, args: [task = ''], client, terminal }) {
    if (values.fetch) {
      const threshold = values.threshold === undefined ? undefined : Number(values.threshold)
      const allow = values['allow-warnings'] ? 'warning' : 'notice'
      const found = await client.registry
        .resolveAndFetch(task, { threshold, allow })
        .catch(sayHowToAllow)
      if (!found) throw new Error('No skill serves this task.')
      const { skill, verdict, rules } = found
      warnOf(terminal, addressOf(skill.fetchUrl), verdict, rules)
      return terminal.print(values.json ? json(found) : found.markdown)
    }
    const { limit, threshold } = values
    const query = { task, ...numbersOf({ limit, threshold }) }
    const answer = await client.registry.skills.resolve({ query })
    if (values.json) return terminal.print(json(answer))
    if (answer.data.length === 0) throw new Error('No skill serves this task.')
    for (const { skill, confidence, fetchUrl, copyOf } of answer.data) {
      terminal.print(`${confidence.toFixed(2)}  ${plain(addressOf(fetchUrl))}  ${skill.id}\n`)
      terminal.print(`      ${plain(skill.description)}\n`)
      if (skill.verdict !== 'clean') {
        terminal.print(`      ${skill.verdict}: ${plain(rulesOf(skill.warnings).join(', '))}\n`)
      }
      if (copyOf) terminal.print(`      a near-copy of ${plain(addressOf(copyOf.fetchUrl))}\n`)
    }
  },
})

function sayHowToAllow(error: unknown): never {
  if (!(error instanceof VerdictError)) throw error
  throw new Error(`${plain(error.message)} Read it first; --allow-warnings prints it all the same.`)
}
