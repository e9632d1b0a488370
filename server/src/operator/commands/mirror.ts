import { text } from 'node:stream/consumers'
import { InvalidArgumentError, Option } from 'commander'
import * as mirrors from '../../mirrors/mirrors.ts'
import type { OperatorContext } from '../../runtime/context.ts'
import type { Mirror } from '../../store/organizations/mirrors.ts'
import { actionCommand, groupCommand } from './parts/action.ts'
import { listCommand } from './parts/list.ts'
import { formatCell } from './parts/print.ts'

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function parsePause(given: string): number {
  const [, count, unit] = /^([1-9]\d{0,2})([mhd])$/.exec(given) ?? []
  if (unit === 'm' || unit === 'h' || unit === 'd') return Number(count) * units[unit]
  throw new InvalidArgumentError('use 30m, 6h or 1d')
}

interface AddOptions {
  into: string
  every: number
  approve?: boolean
  keyStdin?: boolean
}

/** Creates a command on mirrors that exist. */
const onMirrors = (
  name: string,
  description: string,
  act: (ctx: OperatorContext, mirror: Mirror) => Promise<unknown>,
) =>
  actionCommand(name, {
    description,
    argument: ['<mirror>', 'its id, its address, or an organization for all of its mirrors'],
    options: [],
    run: async (ctx, wanted) => {
      const found = await mirrors.findMirrors(ctx, wanted)
      for (const mirror of found) await act(ctx, mirror)
      return { mirrors: found.map(mirrors.showMirror) }
    },
    message: ({ mirrors }) => `${name}: ${mirrors.map(({ url }) => url).join(', ')}`,
  })

export const mirrorCommand = groupCommand(
  'mirror',
  'Publishes the skills of other registries as skills of an organization.',
  actionCommand('add', {
    description:
      'Follows another Skillpass, one of its owners or repositories, or an index of skills, whose address ends in .json. Running servers begin within seconds.',
    argument: ['<url>', 'such as https://skills.example.com/acme'],
    options: [
      new Option('--into <organization>', 'publishes the skills').makeOptionMandatory(),
      new Option('--approve', 'an owner must approve every version of the organization'),
      new Option('--every <time>', 'pause between two runs')
        .default(units.h, '1h')
        .argParser(parsePause),
      new Option('--key-stdin', 'read an API key for the source from standard input'),
    ],
    run: async (ctx, given, _, { keyStdin, approve = false, ...options }: AddOptions) => {
      const url = URL.canParse(given) ? new URL(given) : undefined
      const isIndex = url?.pathname.endsWith('.json')
      if (
        !url ||
        !/^https?:\/\/[^@]+$/.test(given) ||
        (!isIndex && /(\/[^/]+){3}/.test(url.pathname))
      ) {
        throw new Error(
          'Name an http or https address without a user name: of a Skillpass, of one of its owners or repositories, or of an index of skills that ends in .json.',
        )
      }
      const key = keyStdin ? (await text(process.stdin)).trim() : undefined
      return mirrors.addMirror(ctx, url, { ...options, approve, key })
    },
    message: ({ organization, url }) => `${organization} follows ${url}.`,
  }),
  listCommand('list', {
    name: 'mirrors',
    description: 'Lists mirrors with the result of their last run and what they refuse.',
    find: async (ctx, { after, limit }) => {
      const found = (await mirrors.findMirrors(ctx)).map(mirrors.showMirror)
      return found.filter(({ id }) => id > after).slice(0, limit)
    },
    lines: ({ url, organization, lastRunAt, result, problems }) => [
      `${organization}  ${url}  ${formatCell('lastRunAt', lastRunAt) ?? 'not run yet'}  ${result ?? ''}`,
      ...problems.map((problem) => `    ${problem}`),
    ],
    cursor: 'id',
  }),
  onMirrors(
    'run',
    'Lets a running server compare all skills with the source now.',
    mirrors.runMirror,
  ),
  onMirrors('remove', 'Ends a mirror. Its skills stay.', mirrors.removeMirror),
)
