import { command, json, printable } from '../command.ts'
import { choiceFrom, flag, numbersOf, text } from './arguments.ts'
import { addressOf, counted, paragraph, rulesOf } from './output.ts'

const orders = ['stars', 'downloads', 'recent'] as const

export const search = command({
  summary: 'Search the names and descriptions of skills.',
  usage: `["WORDS"] [options]

  --tags A,B       only skills with all of these tags
  --owner NAME     only skills of this owner
  --repo NAME      only skills in repositories of this name
  --sort ORDER     stars, downloads or recent
                   (default: relevance with WORDS, otherwise stars)
  --page N         page number, from 1
  --limit N        skills per page, 1 to 50
  --json           print the result as JSON`,
  options: { tags: text, owner: text, repo: text, sort: text, page: text, limit: text, json: flag },
  arguments: [0, 1],
  async act({
    values: { json: asJson, sort, page, limit, ...filters },
    args: [q],
    client,
    terminal,
  }) {
    const words = { ...(q && { q }), ...(sort && { sort: choiceFrom('--sort', orders, sort) }) }
    const query = { ...filters, ...words, ...numbersOf({ page, limit }) }
    const response = await client.registry.skills.search({ query })
    if (asJson) return terminal.print(json(response))
    for (const skill of response.data) {
      const stars = `${skill.repo.starCount}`.padStart(7)
      terminal.print(`${stars} ★  ${printable(addressOf(skill.fetchUrl))}\n`)
      terminal.print(paragraph(skill.description, 11))
      if (skill.verdict !== 'clean') {
        terminal.print(
          `           ${skill.verdict}: ${printable(rulesOf(skill.warnings).join(', '))}\n`,
        )
      }
    }
    const { data, total } = response
    if (total === 0) return terminal.print('No skill matches.\n')
    terminal.print(
      `${data.length} of ${counted(total, 'skill', 'skills')}, page ${response.page}\n`,
    )
  },
})
