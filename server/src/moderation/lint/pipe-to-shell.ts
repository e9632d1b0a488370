import { isKnownInstaller } from './known-installers.ts'
import { isSink, sourceOf, sources } from './shell.ts'
import type { LintText } from './text.ts'
import type { Report } from './types.ts'

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
  let source: ReturnType<typeof sourceOf> = null
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
function substituted(line: string): ReturnType<typeof sourceOf> {
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
