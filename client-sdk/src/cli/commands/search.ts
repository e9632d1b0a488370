import { counted, paint } from '../../contract/terminal-text.ts'
import { command, json, printable } from '../command.ts'
import { choiceFrom, flag, numbersOf, text } from './arguments.ts'
import { addressOf, paragraph, rulesOf } from './output.ts'

const orders = ['stars', 'downloads', 'recent'] as const

export const search = command({
  summary: 'Search the names and descriptions of skills.',
  usage: '["WORDS"]',
  options: {
    tags: text('A,B', 'only skills with all of these tags'),
    owner: text('NAME', 'only skills of this owner'),
    repo: text('NAME', 'only skills in repositories of this name'),
    sort: text('ORDER', 'stars, downloads or recent (default: relevance, or stars without WORDS)'),
    page: text('N', 'page number, from 1'),
    limit: text('N', 'skills per page, 1 to 50'),
    long: flag('also print ids and whole descriptions'),
  },
  arguments: [0, 1],
  async act({
    values: { json: asJson, long: asLong, sort, page, limit, ...filters },
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
      terminal.print(paragraph(skill.description, 11, asLong ? undefined : terminal.columns))
      if (skill.verdict !== 'clean') {
        terminal.print(
          `           ${paint(skill.verdict)}: ${printable(rulesOf(skill.warnings).join(', '))}\n`,
        )
      }
      if (asLong) terminal.print(`           ${skill.id}\n`)
    }
    const { data, total } = response
    if (total === 0) return terminal.print('No skill matches.\n')
    terminal.print(
      `${data.length} of ${counted(total, 'skill', 'skills')}, page ${response.page}\n`,
    )
  },
})
