import { Command, Option } from 'commander'
import { serializeTimes } from '../../registry/serialize/list.ts'
import { listVerdicts } from '../../registry/verdicts.ts'
import { asOperator } from './parts/database.ts'
import { limitOption } from './parts/options.ts'
import { printJson, printLine, printTable } from './parts/print.ts'

interface Options {
  verdict: 'warning' | 'notice'
  after: string
  limit: number
  json?: boolean
}

/** `verdicts`: the skills of which the lint tells their readers, in the order of their ids. */
export const verdictsCommand = new Command('verdicts')
  .description('Lists skills that the lint warns readers of, each with its rules and lines.')
  .addOption(
    new Option('--verdict <verdict>', 'what the lint says of them')
      .choices(['warning', 'notice'])
      .default('warning'),
  )
  .option('--after <id>', 'go on behind this skill', '')
  .addOption(limitOption())
  .action(async ({ verdict, after, limit, json }: Options) => {
    const found = await asOperator((ctx) => listVerdicts(ctx, verdict, { after, limit }))
    const skills = found.map((skill) => serializeTimes(skill, ['updatedAt']))
    if (json) return printJson({ skills })
    if (skills.length === 0)
      return printLine(`No ${after ? 'further ' : ''}skill has a ${verdict}.`)
    printTable(
      ['skill', 'address', 'version', 'publisher', 'rules'],
      skills.map(({ id, owner, repo, slug, version, publisher, warnings }) => [
        id,
        `${owner}/${repo}/${slug}`,
        version,
        publisher,
        warnings.map(({ rule, line }) => (line === null ? rule : `${rule}:${line}`)).join(' '),
      ]),
    )
    if (skills.length === limit) printLine(`There may be more: --after ${skills.at(-1)?.id}`)
  })
