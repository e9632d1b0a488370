import { Option } from 'commander'
import { listVerdicts } from '../../moderation/verdicts.ts'
import { listCommand, type PageAsked } from './parts/pages.ts'

/** `verdicts`: the skills of which the lint tells their readers, in the order of their ids. */
export const verdictsCommand = listCommand('verdicts', {
  name: 'skills',
  description: 'Lists skills that the lint warns readers of, each with its rules and lines.',
  options: [
    new Option('--verdict <verdict>', 'what the lint says of them')
      .choices(['warning', 'notice'])
      .default('warning'),
  ],
  find: (ctx, asked: PageAsked & { verdict: 'warning' | 'notice' }) =>
    listVerdicts(ctx, asked.verdict, asked),
  empty: (further, { verdict }) => `No ${further}skill has a ${verdict}.`,
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
  place: 'id',
})
