import { command, json, plain, UsageError } from '../command.ts'
import { flag, numbersOf, text } from './arguments.ts'
import { addressOf, counted, rulesOf } from './shown.ts'

export const search = command({
  summary: 'Search names and descriptions of skills.',
  usage: `["WORDS"] [options]

  --tags A,B       only skills with all of these tags
  --owner NAME     only repositories of this owner
  --repo NAME      only repositories of this name
  --sort ORDER     stars (default; with words: relevance), downloads or recent
  --page N         page, from 1
  --limit N        how many a page, 1 to 50
  --json           the answer as JSON`,
  options: { tags: text, owner: text, repo: text, sort: text, page: text, limit: text, json: flag },
  arguments: [0, 1],
  async act({
    values: { json: asJson, sort, page, limit, ...filters },
    args: [q],
    client,
    terminal,
  }) {
    const words = { ...(q && { q }), ...(sort && { sort: orderOf(sort) }) }
    const query = { ...filters, ...words, ...numbersOf({ page, limit }) }
    const answer = await client.registry.skills.search({ query })
    if (asJson) return terminal.print(json(answer))
    for (const skill of answer.data) {
      const stars = `${skill.repo.starCount}`.padStart(7)
      terminal.print(`${stars} ★  ${plain(addressOf(skill.fetchUrl))}  ${skill.id}\n`)
      terminal.print(`           ${plain(skill.description)}\n`)
      if (skill.verdict !== 'clean') {
        terminal.print(
          `           ${skill.verdict}: ${plain(rulesOf(skill.warnings).join(', '))}\n`,
        )
      }
    }
    const { data, total } = answer
    if (total === 0) return terminal.print('No skill matches.\n')
    terminal.print(`${data.length} of ${counted(total, 'skill', 'skills')}, page ${answer.page}\n`)
  },
})

function orderOf(word: string) {
  const order = (['stars', 'downloads', 'recent'] as const).find((order) => order === word)
  if (!order) throw new UsageError('--sort takes stars, downloads or recent.')
  return order
}
