import type { LintRule, LintSkill, Report } from './types.ts'

export const pipeToShellRules: readonly LintRule[] = [
  {
    id: 'pipe-to-shell',
    explanation:
      'Whoever controls the address of a piped script runs code on every reader’s machine.',
  },
]

const anyDownload = /curl|wget|base64|[iI][wW][rR] |[iI][rR][mM] |[iI]nvoke-|DownloadString/g
const download =
  /(?<![\w-])(?:curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)(?:\.exe)?(?=\s)/i
/** An address or a variable: prose such as "never curl | sh" has none. */
const address = /:\/\/|[$<{]|\b[\w-]+\.[a-z]{2,}/i
const decode = /(?<![\w-])base64\s{1,8}(?:-d\b|-D\b|--decode\b)/
const powershellSink = /^\s*(?:iex|Invoke-Expression)\b/i
/** A shell, or an interpreter that reads its program from the pipe: no script, `-c` or `-m` of its own. */
const shellSink =
  /^\s*(?:sudo\s+(?:-\S+\s+){0,4})?(?:\/usr\/bin\/env\s+)?(?:\w+=\S*\s+){0,4}(?:[\w/.-]{0,40}\/)?(?:ba|z|da|k|a|fi)?sh(?:\.exe)?(?=\s*(?:$|[;&|)`"'>]|#|-\s|-s\b|-$|-[elxu]+\s*(?:$|-s)|\d?>))/
const interpreterSink =
  /^\s*(?:sudo\s+(?:-\S+\s+){0,4})?(?:[\w/.-]{0,40}\/)?(?:python[\d.]{0,5}|node|perl|ruby|php|deno run)(?=\s*(?:$|[;&|)`"']|-\s|-$|#))/
/** `bash <(curl …)`, `sh -c "$(curl …)"`, `eval "$(curl …)"`, `source <(curl …)`, `` eval `curl …` ``. */
const substituted =
  /(?:(?<![\w-])(?:(?:ba|z|da|k)?sh|python[\d.]{0,5}|node|eval|source|exec)|(?:^|[\s;&])\.)\s{1,4}(?:-\w{1,8}\s{1,4}){0,3}["']?(?:<\(|\$\(|`)\s{0,4}(?:curl|wget)\s/
const powershell =
  /(?<![\w-])(?:iex|Invoke-Expression)\b.{0,80}?(?:\(\s{0,4}(?:iwr|irm|curl|wget|Invoke-WebRequest|Invoke-RestMethod)\s|DownloadString\()/i

/** A command longer than this is looked at up to here. */
const maxCommand = 4000
/** Far more lines than a skill should have, of which `readme-too-long` warns. */
const enoughCommands = 5000

/** Reports commands that run what they download: `curl … | sh` and its relatives. */
export function checkPipeToShell({ readme }: LintSkill, report: Report): void {
  let examined = 0
  for (const { text, offset } of commands(readme)) {
    examined += 1
    if (examined > enoughCommands) return
    const how = runsDownload(text)
    if (!how) continue
    report('pipe-to-shell', 'readme', `${how}; let readers save, check, then run it`, offset)
  }
}

function runsDownload(line: string): string | null {
  const calls = line.includes('(') || line.includes('`')
  if (!calls && !line.includes('|')) return null
  if (calls && substituted.test(line) && address.test(line)) return 'runs a downloaded script'
  if (calls && powershell.test(line)) return 'runs a downloaded script'
  const table = /^\s*\|/.test(line)
  // Within a table a pipe of a command is written `\|`; the bare ones part the cells.
  const parts = table ? line.split('\\|') : line.split(/(?<!\|)\|(?!\|)/)
  let source: 'a downloaded script' | 'decoded text' | null = null
  for (const [at, part] of parts.entries()) {
    if (at > 0 && source && isSink(part)) return `pipes ${source} into an interpreter`
    // Only the last command of a part feeds the pipe.
    const command = part.slice(Math.max(part.lastIndexOf(';'), part.lastIndexOf('&&')) + 1)
    if (command !== part) source = null
    const start = command.search(download)
    if (start >= 0 && address.test(command.slice(start))) source = 'a downloaded script'
    else if (decode.test(command)) source = 'decoded text'
  }
  return null
}

function isSink(part: string): boolean {
  return shellSink.test(part) || interpreterSink.test(part) || powershellSink.test(part)
}

/**
 * The command around each place that names a downloader: its line, joined with those that a backslash
 * continues. Other lines are not looked at, which is most of the time saved.
 */
function* commands(text: string): Generator<{ text: string; offset: number }> {
  let done = 0
  anyDownload.lastIndex = 0
  for (let hit = anyDownload.exec(text); hit; hit = anyDownload.exec(text)) {
    let start = lineStart(text, hit.index, done)
    while (start > done && isContinued(text, start - 1)) start = lineStart(text, start - 1, done)
    let end = lineEnd(text, hit.index)
    while (end < text.length && isContinued(text, end)) end = lineEnd(text, end + 1)
    const command = text.slice(start, Math.min(end, start + maxCommand))
    yield { text: command.replace(/\\\r?\n/g, ' ').trimEnd(), offset: start }
    done = end + 1
    anyDownload.lastIndex = done
  }
}

function lineStart(text: string, at: number, from: number): number {
  return Math.max(from, at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1)
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Whether the line that ends with this newline goes on in the next one. */
function isContinued(text: string, newline: number): boolean {
  const last = text[newline - 1] === '\r' ? newline - 2 : newline - 1
  return text[last] === '\\'
}
