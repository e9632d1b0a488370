import { Option } from 'commander'
import { serializeTimes } from '../../http/serialize.ts'
import { listVerdicts } from '../../moderation/verdicts.ts'
import { listCommand } from './parts/pages.ts'

/** `verdicts`: the skills of which the lint tells their readers, in the order of their ids. */
export const verdictsCommand = listCommand('verdicts', {
  name: 'skills',
  description: 'Lists skills that the lint warns readers of, each with its rules and lines.',
  options: [
    new Option('--verdict <verdict>', 'what the lint says of them')
      .choices(['warning', 'notice'])
      .default('warning'),
  ],
  find: async (
    ctx,
    { verdict, ...page }: { verdict: 'warning' | 'notice'; after: string; limit: number },
  ) => ({
    found: await listVerdicts(ctx, verdict, page),
    empty: `No ${page.after && 'further '}skill has a ${verdict}.`,
  }),
  head: ['skill', 'address', 'version', 'publisher', 'rules'],
  row: ({ id, owner, repo, slug, version, publisher, warnings }) => [
    id,
    `${owner}/${repo}/${slug}`,
    version,
    publisher,
    warnings.map(({ rule, line }) => (line === null ? rule : `${rule}:${line}`)).join(' '),
  ],
  present: (skill) => serializeTimes(skill, ['updatedAt']),
  placeOf: ({ id }) => id,
})
