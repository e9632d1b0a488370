import { isKnownInstaller } from './downloads.ts'
import type { Report } from './findings.ts'
import { anyOf, type LintText } from './text.ts'

/** Commands that run the output of a substitution, such as `bash <(` or `eval "$(`. */
const substitution =
  /(?:(?:(?<![\w-])(?:(?:ba|z|da|k)?sh|python[\d.]{0,5}|node|perl|ruby|eval|source)|(?:^|[\s;&])\.)\s{1,4}(?:-\w{1,12}\s{1,4}){0,3}(?:\d?<{1,3}\s{0,4})?["']?|(?:^[\s>]{0,20}`?|[;&]\s{1,4})(?:\$\s{1,4})?(?=\$\())(?:<\(|\$\(|`)/g
const maxSubstitution = 400
const powershell =
  /(?<![\w-])(?:iex|invoke-expression|\[scriptblock\]::create)(?!\w).{0,80}?(?:\(\s{0,4}(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod)\s|downloadstring\()/
const encodedCommand =
  /(?<![\w-])(?:powershell|pwsh)(?:\.exe)?\s[^\n|]{0,120}?-e(?:nc?|ncodedcommand|c)?\s{1,4}["']?(?:[a-z0-9+/=]{12,}|[$%(])/
/** Finds commands that run downloaded or decoded text, such as `curl … | sh`. */
export function findPipeToShell(text: LintText, report: Report): void {
  for (const { command, at } of commands(text)) {
    const how = runsSource(command)
    if (!how) continue
    const rule = isKnownInstaller(command) ? 'known-installer' : 'pipe-to-shell'
    report(rule, `${how}; have readers save and check it before they run it`, at)
  }
}

function runsSource(line: string): string | null {
  const inner = line.includes('(') || line.includes('`') ? substituted(line) : null
  if (inner) return inner === 'decoded text' ? 'runs decoded text' : 'runs a downloaded script'
  if (powershell.test(line)) return 'runs a downloaded script'
  if (encodedCommand.test(line)) return 'runs encoded text'
  if (!line.includes('|')) return null
  // In a table, bare pipes separate cells and a command's pipe is written `\|`.
  const parts = /^\s*\|/.test(line) ? line.split('\\|') : line.split(/(?<!\|)\|(?!\|)/)
  let source: Source | null = null
  for (const [at, part] of parts.entries()) {
    if (at > 0 && source && isSink(part)) return `pipes ${source} into an interpreter`
    // Only the last command of a part feeds the pipe.
    const command = part.slice(Math.max(part.lastIndexOf(';'), part.lastIndexOf('&&')) + 1)
    if (command !== part) source = null
    source = sourceOf(command) ?? source
  }
  return null
}

/** Returns the source in a substitution whose output is run. */
function substituted(line: string): Source | null {
  for (const { index, 0: opening } of line.matchAll(substitution)) {
    const start = index + opening.length
    const rest = line.slice(start, start + maxSubstitution)
    const piped = (rest.split(opening.endsWith('`') ? '`' : ')', 1)[0] ?? '').split('|')
    const output = piped.map(sourceOf).findLast((source) => source !== null) ?? null
    // A bare `$(curl …)` runs its output. With a pipe behind it, only a word of the output is used.
    const isBare = opening.endsWith('$(') && /^[;&`$>\s]*\$\($/.test(opening)
    if (output && (!isBare || (piped.length === 1 && output === 'a downloaded script')))
      return output
  }
  return null
}

/** Yields the command around each source, joined with its continuation lines. */
function* commands({ text, places }: LintText): Generator<{ command: string; at: number }> {
  let done = 0
  for (const source of places(sources)) {
    if (source < done) continue
    let start = lineStart(text, source, done)
    while (start > done && continues(text, start - 1)) start = lineStart(text, start - 1, done)
    let end = lineEnd(text, source)
    while (end < text.length && continues(text, end)) end = lineEnd(text, end + 1)
    yield { command: text.slice(start, end).replace(joint, ' ').trimEnd(), at: start }
    done = end + 1
  }
}

const joint = /\\?\r?\n[ \t>#]{0,40}/g
/** A line that starts with a pipe into a shell. Rows of tables have more cells. */
const pipedOn =
  /[ \t>]{0,40}\|&?[ \t]{0,8}(?:sudo\s|(?:\/usr)?\/bin\/|["']?\$|(?:env|timeout|command|busybox)\s|(?:ba|z|da|k)?sh\b|python|node\b|perl\b|ruby\b|iex\b|base64\b|rev\b)[^|\n]{0,200}(?:\n|$)/y

const lineStart = (text: string, at: number, from: number): number =>
  Math.max(from, at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Returns whether a command continues after this newline. */
function continues(text: string, newline: number): boolean {
  const last = text
    .slice(Math.max(0, newline - 40), newline)
    .trimEnd()
    .at(-1)
  if (last === '\\') return true
  // A row of a table also ends with a pipe, but starts with one.
  if (last === '|') return !/^[ \t]*\|/.test(text.slice(lineStart(text, newline, 0)).slice(0, 40))
  pipedOn.lastIndex = newline + 1
  return pipedOn.test(text)
}

/** Words of downloads and decoders. Lines without them are skipped. */
const sources = anyOf(
  'curl|wget|base64|xxd|openssl|iwr |irm |invoke-|downloadstring|aria2c|lynx|powershell|pwsh|rev|http |https |xh |nc |ncat |netcat |socat ',
)

const download =
  /(?<![\w-])(?:(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|xh|lynx|nc|ncat|netcat|socat)(?:\.exe)?["']?\s|https?\s{1,4}(?:get\s{1,4})?(?=https?:|[\w-]{1,63}\.[a-z]))|\.downloadstring\(/
/** A URL, a variable or the host of `nc`, which prose such as "never curl | sh" lacks. */
const address =
  /:\/\/|[$<{]|\b[\w-]{1,63}\.[a-z]{2,}|\b\d{1,3}(?:\.\d{1,3}){3}\b|^(?:nc|ncat|netcat)\s{1,4}(?:-\w{1,6}\s{1,4}){0,4}[\w.$-]{2,63}/
const decode =
  /(?<![\w-])(?:base64\s{1,8}(?:-\w{0,3}d|--decode)\b|xxd\s{1,8}(?:-p\s{1,4})?-r|openssl\s{1,8}(?:enc\s{1,8})?(?:-\w{1,12}\s{1,8}){0,4}-d\b|rev\s{0,4}$)/

type Source = 'a downloaded script' | 'decoded text'

/** Returns what a command outputs if it downloads or decodes something. */
function sourceOf(command: string): Source | null {
  const start = command.search(download)
  if (start >= 0 && address.test(command.slice(start))) return 'a downloaded script'
  return decode.test(command.trimEnd()) ? 'decoded text' : null
}

/** Words that may precede a shell: commands that run another, options and assignments. */
const wrapper =
  /^(?:sudo|doas|env|exec|nohup|xargs|timeout|command|builtin|busybox|nice|time|stdbuf|setsid|do|then|\{|-\S*|\d+[smhd]?|root|\w+=.*)$/
const shell = /^(?:(?:ba|z|da|k|mk|fi)?sh|\$(?:shell|bash|sh|s|\{(?:shell|bash)\b.*)\}?)$/
const interpreter =
  /^(?:python[\d.]{0,5}|node(?:js)?|deno|bun|perl|ruby|php|osascript|pwsh|powershell)$/
/** Options that pass a program as an argument. */
const shellProgram = /^-[a-z]{0,6}c$/
const ownProgram = /^-[a-z]{0,6}[cmenpr]$|^--(?:eval|print|check)|^-(?:file|command)$/

/** PowerShell commands that run their input. */
const powershellSink =
  /^\s{0,20}(?:(?:%|foreach(?:-object)?)\s{0,4}\{\s{0,4})?(?:iex|invoke-expression)\b/

/** Returns whether a command runs its piped input as a program. */
function isSink(piped: string): boolean {
  const part = piped.slice(0, 400).replace(/^&/, '')
  if (powershellSink.test(part)) return true
  const end = part.search(/[;&)`\n]|\s#/)
  const command = (end < 0 ? part : part.slice(0, end)).replace(/\s-\w{0,6}o pipefail\b/, '')
  const words = command.trim().split(/\s+/)
  const at = words.findIndex((word) => !wrapper.test(bare(word)))
  const written = words[at] ?? ''
  const name = bare(written)
  const isShell = shell.test(name)
  if (!isShell && !interpreter.test(name)) return false
  // The command ends at the end of a quotation or sentence.
  if (/[^"']["'][,.\])}]*$/.test(written) && !/^["']/.test(written)) return true
  for (const argument of words.slice(at + 1)) {
    const word = bare(argument)
    if (/^(?:|-s?|--|\/dev\/stdin)$/.test(word) || /^(?:\d?>|&>)/.test(argument)) return true
    if ((isShell ? shellProgram : ownProgram).test(word)) return false
    if (!word.startsWith('-') && word !== 'run') return !isScript(argument)
  }
  return true
}

/** Distinguishes a file or module from a word of the surrounding sentence. */
const isScript = (word: string) => /[./$<{\\]\S|^["']?[\w-]+["']?$/.test(word) && !prose.test(word)
const prose =
  /^(?:and|then|to|or|in|on|as|first|before|after|now|once|again|if|when|with|for|it|this|which|that|is|-x?|\|)[,.:;]?$/

/** Strips quotes, folder, suffix and surrounding markup from a command. */
const bare = (word: string) =>
  word
    .replace(/(?<=.)<.*$/, '')
    .replace(/^["'*([]+|["'*.,:!?)\]}\\]+$/g, '')
    .replace(/^(?!\/dev\/)\S*\/(?=[^/]+$)/, '')
    .replace(/\.exe$/, '')
