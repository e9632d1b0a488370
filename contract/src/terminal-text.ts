import { visibleText } from './visible-text.ts'

/** Characters that take two columns in a terminal, and those that take none. */
const wide =
  '\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f\\uff01-\\uff60\\uffe0-\\uffe6\\u{1f300}-\\u{1f64f}\\u{1f680}-\\u{1f6ff}\\u{1f900}-\\u{1faff}\\u{20000}-\\u{3fffd}'
const wideCharacter = new RegExp(`[${wide}]`, 'gu')
const noWidth = /\p{Mn}|\p{Me}|[\u200b-\u200d]/gu
/** A global of Node.js and of browsers. */
declare const crypto: { randomUUID(): string }

/** Surrounds a word that has a color. Strangers cannot guess it, so their text has no colors. */
const mark = `\u0000${crypto.randomUUID()}`
/** A word with the space before it. Lines may also break around wide characters. */
const breakable = new RegExp(` ?(?:[${wide}]|[^ ${wide}]+)| `, 'gu')

/** Returns the number of columns that a text takes in a terminal. */
export const widthOf = (text: string): number => {
  const bare = text.replaceAll(mark, '')
  if (/^[\x20-\x7e]*$/.test(bare)) return bare.length
  const shown = bare.replace(noWidth, '')
  return [...shown].length + (shown.match(wideCharacter)?.length ?? 0)
}

/** Shortens a text to a number of columns, with an ellipsis at the end. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let [kept, width] = ['', 1]
  for (const character of text) {
    width += widthOf(character)
    if (width > columns) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

/**
 * Wraps lines between words at `columns`, by default 80. Words are never cut, except around wide
 * characters. A row of columns, which have two spaces between them, stays on its line, and so does
 * an `export` to paste into a shell. Continuation lines keep the indentation.
 */
export const wrapped = (text: string, columns?: string): string => {
  const width = Number(columns) || 80
  return text.replace(/^( *)(\S.*)$/gm, (line, indent: string, words: string) => {
    if (widthOf(line) <= width || words.includes('  ') || words.startsWith('export ')) return line
    const lines: string[] = []
    let taken = 0
    for (const word of words.match(breakable) ?? []) {
      const size = widthOf(word)
      if (taken > 0 && taken + size <= width) {
        lines.push(`${lines.pop()}${word}`)
        taken += size
      } else {
        lines.push(indent + word.trimStart())
        taken = widthOf(indent + word.trimStart())
      }
    }
    return lines.join('\n')
  })
}

/** Returns a label and a text beside it, which continues in its own column. */
export const beside = (label: string, text: string, indent: number, columns?: string): string =>
  label.padEnd(indent) + wrapped(' '.repeat(indent) + text, columns).slice(indent)

/** Smallest width of a shortened column. */
const narrowest = 8

/**
 * Returns the lines of a table. Columns of numbers are aligned to the right. Shortens the widest
 * columns if the table has more than `columns`.
 */
export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  columns = Number.POSITIVE_INFINITY,
): string[] {
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => widthOf(line[column] ?? ''))),
  )
  const isNumber = headings.map((_, column) =>
    rows.every((row) => /^\d[\d.,]*( ?[kM]?B| %)?$|^-$/.test(row[column] ?? '')),
  )
  const isText = headings.map((_, column) =>
    rows.some((row) => !/^[-\d:.,%kMBTZ ]*$/.test(row[column] ?? '')),
  )
  let over = widths.reduce((sum, width) => sum + width + 2, -2) - columns
  for (; over > 0; over--) {
    const widest = Math.max(...widths.filter((_, column) => isText[column]))
    if (widest <= narrowest) break
    widths[widths.findIndex((width, column) => isText[column] && width === widest)] = widest - 1
  }
  return lines.map((line) => {
    const cells = widths.map((width, column) => {
      const cell = fitted(line[column] ?? '', width)
      const space = ' '.repeat(width - widthOf(cell))
      return isNumber[column] ? space + cell : cell + space
    })
    return cells.join('  ').trimEnd()
  })
}

/** Returns the lines of labels with values. Omits those without a value. */
export function labelledLines(
  rows: readonly (readonly [label: string, value: string | undefined])[],
  columns?: string,
): string[] {
  const shown = rows.filter(([, value]) => value !== undefined)
  const indent = Math.max(...shown.map(([label]) => label.length)) + 2
  return shown.map(([label, value = '']) => beside(label, value, indent, columns))
}

/** Formats a count: `1 star`, `2 stars`, `no stars`. */
export const counted = (count: number, one: string, many: string): string =>
  `${count === 0 ? 'no' : count} ${count === 1 ? one : many}`

/** Formats a share as a percentage: `84 %`. */
export const formatShare = (share: number): string => `${Math.round(share * 100)} %`

/** Formats a number of bytes: `512 B`, `12 kB`, `3.4 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

const fileErrors = new Map([
  ['ENOENT', 'no such file or folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EEXIST', 'it already exists'],
  ['ENOTDIR', 'a part of the path is not a folder'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'it is a symbolic link to itself'],
  ['EROFS', 'the disk is read-only'],
  ['ENOSPC', 'the disk is full'],
])

/** Returns a sentence about a file system error; undefined for any other error. */
export function fileErrorMessage(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'path' in error)) return undefined
  const reason = fileErrors.get(String(error.code)) ?? String(error.code)
  const act = 'syscall' in error && error.syscall === 'mkdir' ? 'create the folder' : 'open'
  return `Could not ${act} ${String(error.path)}: ${reason}.`
}

/** Colors of verdicts (SGR). Nothing else has a color. */
const verdictColors = new Map([
  ['clean', 32],
  ['passed', 32],
  ['notice', 33],
  ['warning', 31],
  ['failed', 31],
])
const painted = new RegExp(`${mark}(.*?)${mark}`, 'g')

/** Marks a verdict, which `terminalText` colors if the stream has colors. */
export const paint = (verdict: string): string =>
  verdictColors.has(verdict) ? mark + verdict + mark : verdict

/** A stream that a command prints to. */
interface Output {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether the stream is a terminal, which interprets control characters. */
  readonly isScreen: boolean
  /** Whether to print control characters unescaped. */
  readonly isRaw: boolean
}

/**
 * Returns a text as a command prints it: wrapped, on a terminal without control and invisible
 * characters, and with colors of verdicts if the stream has colors (no-color.org, FORCE_COLOR).
 */
export function terminalText(text: string, { env, isScreen, isRaw }: Output): string {
  const { FORCE_COLOR, NO_COLOR, TERM, COLUMNS } = env
  const isColored = FORCE_COLOR ? FORCE_COLOR !== '0' : isScreen && !NO_COLOR && TERM !== 'dumb'
  const shown = text.split(painted).map((part, at) => {
    if (at % 2 === 1) return mark + part + mark
    return isScreen && !isRaw ? visibleText(part) : part
  })
  return wrapped(shown.join(''), COLUMNS).replace(painted, (_, verdict: string) =>
    isColored ? `\u001b[${verdictColors.get(verdict)}m${verdict}\u001b[39m` : verdict,
  )
}

const eraseLine = '\r\u001b[K'

/** A line on stderr that shows how long a command has been running, from its first second on. */
export type Progress = ReturnType<typeof createProgress>

interface Timers {
  setInterval(draw: () => void, ms: number): unknown
  clearInterval(timer: unknown): void
}

/** Creates the progress line of a command. Only a terminal shows it. `timers` is `globalThis`. */
export function createProgress(
  write: (text: string) => unknown,
  timers: Timers,
  { env, isScreen }: Pick<Output, 'env' | 'isScreen'>,
) {
  const isShown = isScreen && env.TERM !== 'dumb' && !env.CI
  let [label, seconds, isDrawn] = ['', 0, false]
  let timer: unknown
  const clear = () => {
    if (isDrawn) write(eraseLine)
    isDrawn = false
  }
  const stop = () => {
    timers.clearInterval(timer)
    clear()
  }
  return {
    /** Erases the line before other output. It returns with the next second. */
    clear,
    stop,
    /** Returns a question that ends the line before it is asked. */
    before<A extends unknown[], T>(question: (...args: A) => T): (...args: A) => T {
      return (...args) => {
        stop()
        return question(...args)
      }
    },
    start(text: string) {
      label = text
      if (!isShown) return
      timer = timers.setInterval(() => {
        write(`${eraseLine}${label} … ${++seconds} s`)
        isDrawn = true
      }, 1000)
    },
    /** Replaces the text of the line. */
    update(text: string) {
      label = text
    },
  }
}
