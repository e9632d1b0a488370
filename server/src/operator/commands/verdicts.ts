import { Option } from 'commander'
import { listVerdicts } from '../../moderation/store/verdicts.ts'
import { listCommand, type PageOptions } from './parts/list.ts'

export const verdictsCommand = listCommand('verdicts', {
  name: 'skills',
  description:
    'Lists skills that the lint warns readers about, with the rules and lines of the findings.',
  options: [
    new Option('--verdict <verdict>', 'verdict of the lint')
      .choices(['warning', 'notice'])
      .default('warning'),
  ],
  find: (ctx, options: PageOptions & { verdict: 'warning' | 'notice' }) =>
    listVerdicts(ctx.db.read, options.verdict, options),
  empty: (more, { verdict }) => `No ${more}skills with a ${verdict}.`,
  columns: [
    'id',
    ['address', ({ owner, repo, slug }) => `${owner}/${repo}/${slug}`],
    'version',
    'publisher',
    [
      'rules',
      ({ warnings }) =>
        warnings.map(({ rule, line }) => (line === null ? rule : `${rule}:${line}`)).join(' '),
    ],
  ],
  cursor: 'id',
})
