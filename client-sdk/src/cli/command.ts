import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Client, createClient, fitsHeader } from '../client.ts'
import { didYouMean } from '../contract/closest-names.ts'
import {
  createProgress,
  labelledLines,
  type Progress,
  terminalText,
} from '../contract/terminal-text.ts'
import { visibleJson, visibleLine, visibleText } from '../contract/visible-text.ts'
import type { Wait } from '../transport.ts'
import { messageOf } from './errors.ts'
import { credentialFor, registryOf } from './logins.ts'

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
  /**
   * Asks for a line of text, which is not shown if `isSecret`; undefined if nobody can answer. The
   * answer is undefined after Ctrl+D.
   */
  readonly prompt?: (question: string, isSecret?: boolean) => Promise<string | undefined>
  /** Working directory. Default: that of the process. */
  readonly cwd?: string
  /** Standard input. Default: that of the process. */
  readonly input?: AsyncIterable<Uint8Array>
}

/** What commands print to. `print` and `warn` wrap text, except rows of columns. */
export interface Terminal extends Screen {
  /** Prints data, such as the markdown of a skill, as it is. */
  data(text: string): void
  /** Number of columns. */
  readonly columns: number
  readonly progress: Progress
}

/** Returns the working directory. */
export const folderOf = ({ cwd }: Terminal): string => cwd ?? process.cwd()

/**
 * Escapes control and invisible characters in output to a screen, unless `isRaw`, and wraps text.
 */
export function openTerminal(screen: Screen, isRaw: boolean): Terminal {
  const { isScreen, env, ask, prompt } = screen
  const onScreen = { env, isScreen: isScreen?.warn ?? false }
  const progress = createProgress(screen.warn, globalThis, onScreen)
  const writer = (stream: 'print' | 'warn') => (text: string) => {
    progress.clear()
    screen[stream](terminalText(text, { env, isScreen: isScreen?.[stream] ?? false, isRaw }))
  }
  return {
    ...screen,
    ...(ask && { ask: progress.before(ask) }),
    ...(prompt && { prompt: progress.before(prompt) }),
    columns: Number(env.COLUMNS) || 80,
    progress,
    data: (text) => {
      progress.clear()
      screen.print(isScreen?.print && !isRaw ? visibleText(text) : text)
    },
    print: writer('print'),
    warn: writer('warn'),
  }
}

/** Invalid arguments. The program exits with 2. */
export class UsageError extends Error {}

/** A command of the program. */
export interface CliCommand {
  readonly summary: string
  /** Whether it runs until its input ends, so that it shows no progress. */
  readonly isService?: boolean | undefined
  /** Returns the text of `--help`. */
  help(name: string): string
  run(args: string[], terminal: Terminal): Promise<void>
}

type Option = NonNullable<ParseArgsConfig['options']>[string]
type Options = Readonly<Record<string, Option & { readonly help: string; readonly value?: string }>>
type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true }>
>['values']

/** Option of every command. */
const jsonOption = {
  json: { type: 'boolean', default: false, help: 'print the result as JSON' },
} as const

interface Spec<O extends Options> extends Omit<CliCommand, 'help' | 'run'> {
  /** Its arguments, for `--help`. */
  readonly usage: string
  /** Paragraphs after the summary. */
  readonly details?: string
  readonly options: O
  /** Minimum and maximum number of arguments. */
  readonly arguments: readonly [number, number]
  act(call: {
    values: Values<O & typeof jsonOption>
    args: string[]
    /** Client of the registry in use. */
    client: Client
    terminal: Terminal
  }): Promise<void>
}

/** Creates a command that checks its arguments and options before it runs. */
export function command<const O extends Options>({
  arguments: [min, max],
  act,
  ...spec
}: Spec<O>): CliCommand {
  const options = { ...spec.options, ...jsonOption }
  const { summary, usage, details, isService } = spec
  return {
    summary,
    isService,
    help(name) {
      const rows = Object.entries<Options[string]>(options).map(
        ([option, { value = '', help }]) => [`  --${option} ${value}`.trimEnd(), help] as const,
      )
      const call = `Usage: skillpass ${name} ${usage} [options]`.replace('  ', ' ')
      const parts = [call, summary, labelledLines(rows).join('\n'), ...(details ? [details] : [])]
      return `${parts.join('\n\n')}\n`
    },
    async run(argv, terminal) {
      const { values, positionals } = parsed(options, argv)
      if (positionals.length < min) throw new UsageError('An argument is missing.')
      if (positionals.length > max) {
        throw new UsageError(
          `Unexpected argument "${positionals[max]}". Put quotes around text with spaces.`,
        )
      }
      await act({ values, args: positionals, client: clientFor(terminal), terminal })
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

/**
 * Maximum total wait of one call: 15 minutes, so that it never waits for a daily quota to reset.
 */
const maxWaitMs = 900_000

/** Creates a client that reports waits on stderr, with the API key for its registry. */
export function clientFor(
  terminal: Terminal,
  baseUrl = registryOf(terminal),
  credential: ReturnType<typeof credentialFor> = credentialFor(terminal, baseUrl),
): Client {
  const { apiKey, from } = credential ?? {}
  if (apiKey !== undefined && !fitsHeader(apiKey)) {
    throw new Error(
      `${from} has no API key. Use a key that "skillpass register" printed, skp_…, or log in with "skillpass login".`,
    )
  }
  return createClient({ baseUrl, apiKey, maxWaitMs, onWait: waitReporter(terminal) })
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
