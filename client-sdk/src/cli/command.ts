import { type ParseArgsConfig, parseArgs } from 'node:util'
import { addressOf, type Client, createClient, fitsHeader } from '../client.ts'
import { didYouMean } from '../contract/closest-names.ts'
import { visibleJson, visibleLine, visibleText, wrapped } from '../contract/visible-text.ts'
import type { Wait } from '../transport.ts'
import { messageOf } from './errors.ts'

/** The process environment of the program. */
export interface Screen {
  readonly env: Readonly<Record<string, string | undefined>>
  print(text: string): void
  warn(text: string): void
  /**
   * Whether `print` and `warn` write to a terminal, which interprets control characters. Default:
   * neither.
   */
  readonly isScreen?: { readonly print: boolean; readonly warn: boolean }
  /** Asks a yes-or-no question; undefined if nobody can answer. */
  readonly ask?: (question: string) => Promise<boolean>
  /** Working directory. Default: that of the process. */
  readonly cwd?: string
  /** Standard input. Default: that of the process. */
  readonly input?: AsyncIterable<Uint8Array>
}

/** What commands print to. `print` and `warn` wrap text, except rows of columns. */
export interface Terminal extends Screen {
  /** Prints data, such as the markdown of a skill, as it is. */
  data(text: string): void
}

/** Returns the working directory. */
export const folderOf = ({ cwd }: Terminal): string => cwd ?? process.cwd()

/**
 * Escapes control and invisible characters in output to a screen, unless `isRaw`, and wraps text.
 */
export function openTerminal(screen: Screen, isRaw: boolean): Terminal {
  const { isScreen, print, warn, env } = screen
  const safe = (text: string, onScreen = false) => (onScreen && !isRaw ? visibleText(text) : text)
  return {
    ...screen,
    data: (text) => print(safe(text, isScreen?.print)),
    print: (text) => print(wrapped(safe(text, isScreen?.print), env.COLUMNS)),
    warn: (text) => warn(wrapped(safe(text, isScreen?.warn), env.COLUMNS)),
  }
}

/** Invalid arguments. The program exits with 2. */
export class UsageError extends Error {}

/** A command of the program. */
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
  /** Arguments and options for `--help`, one option per line. */
  readonly usage: string
  /** Paragraphs after the summary. */
  readonly details?: string
  readonly options: O
  /** Minimum and maximum number of arguments. */
  readonly arguments: readonly [number, number]
  act(call: {
    values: Values<O>
    args: string[]
    client: Client
    terminal: Terminal
  }): Promise<void>
}

/** Creates a command that checks its arguments and options before it runs. */
export function command<const O extends Options>(spec: Spec<O>): CliCommand {
  const [min, max] = spec.arguments
  return {
    summary: spec.summary,
    usage: spec.usage,
    details: spec.details,
    async run(argv, terminal) {
      const { values, positionals } = parsed(spec.options, argv)
      if (positionals.length < min) throw new UsageError('An argument is missing.')
      if (positionals.length > max) {
        throw new UsageError(
          `Unexpected argument "${positionals[max]}". Put quotes around text with spaces.`,
        )
      }
      await spec.act({ values, args: positionals, client: clientFor(terminal), terminal })
    },
  }
}

function parsed<O extends Options>(options: O, args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const message = messageOf(error)
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? []
    if (unknown === undefined) {
      throw new UsageError(message.replace(/\n/g, ' ').replace(/[^.]$/, '$&.'))
    }
    const known = Object.keys(options).map((name) => `--${name}`)
    throw unknownOption(unknown, known)
  }
}

export const unknownOption = (option: string, known: readonly string[]): UsageError =>
  new UsageError(`Unknown option "${printable(option)}".${didYouMean(option, known)}`)

/** Returns the URL of the default registry. */
export const registryOf = ({ env }: Terminal): string =>
  addressOf('SKILLPASS_URL', env.SKILLPASS_URL?.trim() || 'http://localhost:3000')

/**
 * Maximum total wait of one call: 15 minutes, so that it never waits for a daily quota to reset.
 */
const maxWaitMs = 900_000

/**
 * Creates a client that reports waits on stderr. Uses the API key only for the registry of
 * `SKILLPASS_URL`.
 */
export function clientFor(terminal: Terminal, baseUrl = registryOf(terminal)): Client {
  const { env } = terminal
  const apiKey = env.SKILLPASS_API_KEY?.trim() || undefined
  if (apiKey !== undefined && !fitsHeader(apiKey)) {
    throw new Error(
      'SKILLPASS_API_KEY is not an API key. Use the key that "skillpass register" prints, skp_….',
    )
  }
  const isKeyFor = baseUrl === registryOf(terminal)
  return createClient({
    baseUrl,
    apiKey: isKeyFor ? apiKey : undefined,
    maxWaitMs,
    onWait: waitReporter(terminal),
  })
}

/** Reports waits on stderr. Of concurrent waits, it reports only the longest. */
function waitReporter(terminal: Terminal) {
  let reportedUntil = 0
  return ({ ms, status }: Wait) => {
    const until = Date.now() + ms
    if (status === undefined || until - reportedUntil < 500) return
    reportedUntil = until
    const why =
      status === 429
        ? 'the rate limit of the registry is reached'
        : 'the registry is temporarily unavailable'
    terminal.warn(`Waiting ${Math.ceil(ms / 1000)} s: ${why}.\n`)
  }
}

/**
 * Escapes untrusted text for one line of output. Control characters could manipulate the terminal.
 */
export const printable = visibleLine

/** Formats a JSON document. */
export const json = (value: unknown) => `${visibleJson(value, 2)}\n`
