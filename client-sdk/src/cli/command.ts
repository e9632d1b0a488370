import { type ParseArgsConfig, parseArgs } from 'node:util'
import { addressOf, type Client, createClient, fitsHeader } from '../client.ts'
import { shownJson, shownLine, shownText } from '../contract/shown-text.ts'
import type { Wait } from '../transport.ts'
import { messageOf } from './errors.ts'

/** What the process gives the program. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  print(text: string): void
  warn(text: string): void
  /** Whether `print` and `warn` write to a screen, which obeys control characters; by default not. */
  readonly isScreen?: { readonly print: boolean; readonly warn: boolean }
  /** Asks a question that is answered with yes or no; absent where nobody can answer. */
  readonly ask?: (question: string) => Promise<boolean>
  /** The folder that paths begin at; the process's own without it. */
  readonly cwd?: string
}

/** A terminal that writes out on a screen what could steer it. */
export function safeTerminal(terminal: Terminal): Terminal {
  const { isScreen, print, warn } = terminal
  return {
    ...terminal,
    print: (text) => print(isScreen?.print ? shownText(text) : text),
    warn: (text) => warn(isScreen?.warn ? shownText(text) : text),
  }
}

/** The caller has misspelt something; the program shows the usage and exits with 2. */
export class UsageError extends Error {}

/** One command, ready to be run with its arguments. */
export interface CliCommand {
  readonly summary: string
  readonly usage: string
  readonly details?: string | undefined
  run(args: string[], terminal: Terminal): Promise<void>
}

type Options = NonNullable<ParseArgsConfig['options']>
type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true }>
>['values']

interface Spec<O extends Options> {
  readonly summary: string
  /** Arguments and options, one option a line, as `--help` shows them. */
  readonly usage: string
  /** What else there is to know, after the summary. */
  readonly details?: string
  readonly options: O
  /** Least and most number of arguments. */
  readonly arguments: readonly [number, number]
  act(call: {
    values: Values<O>
    args: string[]
    client: Client
    terminal: Terminal
  }): Promise<void>
}

/** Makes a command: checks its arguments and options before it acts. */
export function command<const O extends Options>(spec: Spec<O>): CliCommand {
  const [least, most] = spec.arguments
  return {
    summary: spec.summary,
    usage: spec.usage,
    details: spec.details,
    async run(argv, terminal) {
      const { values, positionals } = parsed(spec.options, argv)
      if (positionals.length < least) throw new UsageError('An argument is missing.')
      if (positionals.length > most) {
        throw new UsageError(`"${positionals[most]}" is one too many; quote what has spaces.`)
      }
      await spec.act({ values, args: positionals, client: clientFor(terminal), terminal })
    },
  }
}

function parsed<O extends Options>(options: O, args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
}

/** Address of the registry that is asked unless something names another. */
export const registryOf = ({ env }: Terminal): string =>
  addressOf('SKILLPASS_URL', env.SKILLPASS_URL?.trim() || 'http://localhost:3000')

/** Milliseconds that a registry may make one call wait in all: a quota of a day is not waited for. */
const maxWaitMs = 900_000

/** A client of a registry that says on stderr how long it waits. The key goes to the registry that it is for alone. */
export function clientFor(terminal: Terminal, baseUrl = registryOf(terminal)): Client {
  const { env } = terminal
  const apiKey = env.SKILLPASS_API_KEY?.trim() || undefined
  if (apiKey !== undefined && !fitsHeader(apiKey)) {
    throw new Error('SKILLPASS_API_KEY must be a key as "skillpass register" prints it, skp_….')
  }
  const isKeyFor = baseUrl === registryOf(terminal)
  return createClient({
    baseUrl,
    apiKey: isKeyFor ? apiKey : undefined,
    maxWaitMs,
    onWait: waitSayer(terminal),
  })
}

/** Says each wait that the registry asks for, and of several at once only the longest. */
function waitSayer(terminal: Terminal) {
  let saidUntil = 0
  return ({ ms, status }: Wait) => {
    const until = Date.now() + ms
    if (status === undefined || until - saidUntil < 500) return
    saidUntil = until
    const why =
      status === 429
        ? 'the registry takes no more requests for now'
        : 'the registry cannot answer right now'
    terminal.warn(`Waiting ${Math.ceil(ms / 1000)} s: ${why}.\n`)
  }
}

/** Text of others on one line, made fit for a terminal: control characters could rewrite the screen. */
export const plain = shownLine

/** Prints one JSON document, for programs. */
export const json = (value: unknown) => `${shownJson(value, 2)}\n`
