import { rulesOf, type TextCheck } from '../report/types.ts'
import { eachMatch } from '../text/each-match.ts'
import { isForbidden } from './forbidden.ts'
import { isKnownInstaller } from './known-installers.ts'
import { isSink } from './shell-sinks.ts'
import { anySource, sourceOf } from './shell-sources.ts'

export const pipeToShellRules = [
  ...rulesOf('warning', {
    'pipe-to-shell':
      'Whoever controls the address of a piped script runs code on every reader’s machine.',
  }),
  ...rulesOf('notice', {
    'known-installer':
      'The installer of a widely used tool is run straight from that tool’s own address; still, nobody reads it first.',
    'forbidden-command':
      'A command that runs a download stands here as one not to run. An agent may run it all the same.',
  }),
]

/** What takes a program from a substitution: `bash <(`, `sh -c "$(`, `eval "$(`, `bash < <(`, `trap "$(`. */
const substitution =
  /(?:(?:(?<![\w-])(?:(?:ba|z|da|k|mk|fi)?sh|python[\d.]{0,5}|node|perl|ruby|eval|source|exec|trap|done|make)|["']?\$\{?(?:shell|bash)\}?["']?|(?:^|[\s;&])\.)\s{1,4}(?:-\w{1,12}\s{1,4}){0,3}(?:(?:\/dev\/(?:stdin|fd\/\d)\s{1,4})?\d?<{1,3}\s{0,4})?["']?|(?<![\w-])(?:prompt_command|alias\s{1,4}[\w.-]{1,20})=["']?|(?:^[\s>]{0,20}`?|[;&]\s{1,4})(?:\$\s{1,4})?(?=\$\())(?:<\(|\$\(|`)/g
/** How much of a substitution is looked at. */
const longestInner = 400
const powershell =
  /(?<![\w-])(?:iex|invoke-expression|\[scriptblock\]::create)(?!\w).{0,80}?(?:\(\s{0,4}(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod)\s|downloadstring\()|(?<![\w-])mshta(?:\.exe)?\s{1,4}["']?(?:https?:|javascript:|vbscript:)/
const encodedCommand =
  /(?<![\w-])(?:powershell|pwsh)(?:\.exe)?\s[^\n|]{0,120}?-e(?:nc?|ncodedcommand|c)?\s{1,4}["']?(?:[a-z0-9+/=]{12,}|[$%(])/
/** "Pipe the output of `curl …` into bash." */
const told =
  /\b(?:pip(?:e|ing)|feed(?:ing)?|pass(?:ing)?)\b[^\n]{0,240}?\b(?:in)?to[ `"'*]{1,4}(?:sudo )?(?:a |the |your )?(?:(?:ba|z|da|k)?sh|shell|interpreter|python\d?|node)\b(?![-/.]\w)/

/** Finds commands that run what they download or decode: `curl … | sh` and its relatives. */
export const findPipeToShell: TextCheck = ({ text }, report) => {
  for (const { command, at, end } of commands(text)) {
    const how = runsSource(command)
    if (!how) continue
    report(
      ruleOf(command, text.slice(end, end + near)),
      `${how}; let readers save, check, then run it`,
      at,
    )
  }
}

/** How far after a forbidden command an order to run it is looked for, in characters. */
const near = 300

function ruleOf(command: string, next: string): string {
  if (isKnownInstaller(command)) return 'known-installer'
  return isForbidden(command, next) ? 'forbidden-command' : 'pipe-to-shell'
}

function runsSource(line: string): string | null {
  if (line.includes('(') || line.includes('`')) {
    const inner = substituted(line)
    if (inner) return inner === 'decoded text' ? 'runs decoded text' : 'runs a downloaded script'
  }
  if (powershell.test(line)) return 'runs a downloaded script'
  if (encodedCommand.test(line)) return 'runs encoded text'
  if (told.test(line) && sourceOf(line) === 'a downloaded script') {
    return 'pipes a downloaded script into an interpreter'
  }
  if (!line.includes('|')) return null
  const table = /^\s*\|/.test(line)
  // Within a table a pipe of a command is written `\|`; the bare ones part the cells.
  const parts = table ? line.split('\\|') : line.split(/(?<!\|)\|(?!\|)/)
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

/** The source within a substitution whose output is run. */
function substituted(line: string): ReturnType<typeof sourceOf> {
  let found: ReturnType<typeof sourceOf> = null
  eachMatch(substitution, line, ({ index, 0: opening }) => {
    // What is opened as another descriptor is run where a shell reads it; see fetched-code.
    if (/^exec\s{1,4}[1-9]</.test(opening)) return
    // A loop runs the lines that it reads where it evaluates them.
    if (found || (opening.startsWith('done') && !/\beval\b|\bsh\s{1,4}-c\b/.test(line))) return
    const start = index + opening.length
    const rest = line.slice(start, start + longestInner)
    const inner = rest.split(opening.endsWith('`') ? '`' : ')', 1)[0] ?? ''
    const piped = inner.split('|')
    const isBare = opening.endsWith('$(') && /^[;&`$>\s]*\$\($/.test(opening)
    const output = piped.map(sourceOf).findLast((source) => source !== null) ?? null
    // A command whose name is fetched is one; what only takes a word of it is none.
    if (isBare && (piped.length > 1 || output !== 'a downloaded script')) return
    found = output
  })
  return found
}

/**
 * The command around each place that names a source: its line, joined with those that a backslash
 * or a pipe at an end or a beginning continues. Other lines are not looked at, which is most of the
 * time saved.
 */
function* commands(text: string): Generator<{ command: string; at: number; end: number }> {
  let done = 0
  anySource.lastIndex = 0
  for (let hit = anySource.exec(text); hit; hit = anySource.exec(text)) {
    let start = lineStart(text, hit.index, done)
    while (start > done && continues(text, start - 1)) start = lineStart(text, start - 1, done)
    let end = lineEnd(text, hit.index)
    while (end < text.length && continues(text, end)) end = lineEnd(text, end + 1)
    const command = text.slice(start, end)
    yield { command: command.replace(joint, ' ').trimEnd(), at: start, end }
    done = end + 1
    anySource.lastIndex = done
  }
}

const joint = /\\?\r?\n[ \t>#]{0,40}/g
/** A pipe into a shell; a row of a table has more cells. */
const pipedOn =
  /[ \t>]{0,40}\|&?[ \t]{0,8}(?:sudo\s|(?:\/usr)?\/bin\/|["']?\$|(?:env|timeout|command|busybox|while)\s|(?:ba|z|da|k)?sh\b|python|node\b|perl\b|ruby\b|iex\b|base64\b|rev\b)[^|\n]{0,200}(?:\n|$)/y

function lineStart(text: string, at: number, from: number): number {
  return Math.max(from, at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Whether the line that ends with this newline goes on in the next one. */
function continues(text: string, newline: number): boolean {
  let last = newline - 1
  while (last >= 0 && newline - last < 40 && /[ \t\r]/.test(text[last] ?? '')) last -= 1
  if (text[last] === '\\') return true
  // A row of a table ends with a pipe as well, and begins with one.
  if (text[last] === '|')
    return !/^[ \t]*\|/.test(text.slice(lineStart(text, newline, 0), newline).slice(0, 40))
  pipedOn.lastIndex = newline + 1
  return pipedOn.test(text)
}
