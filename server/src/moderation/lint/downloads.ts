import { isKnownInstaller } from './known-installers.ts'
import type { LintText } from './text.ts'
import type { Report } from './types.ts'
import { anyOf, escaped, type Words } from './words.ts'

/** Distance, in characters, within which a saved download must be run to count. */
const runDistance = 800

/** Commands that save a download, by their first word. The group captures the file name. */
const savePatterns: readonly (readonly [starts: Words, pattern: RegExp])[] = [
  // `curl … -o x`, `curl … > x`. The `>` of a placeholder such as `<id>` is not a redirection.
  [
    anyOf('curl |wget |iwr |irm |invoke-webrequest |aria2c '),
    /(?<![\w-])(?:curl|wget|iwr|irm|invoke-webrequest|aria2c)\s[^\n;&|]{0,400}?(?:(?:-[a-z]{0,6}o|--output|--output-document|-outfile)[ =]{1,4}|(?<!<[a-z][\w -]{0,40})>{1,2}[ \t]{0,4})["']?([^\s"'`;&|)]{1,120})/y,
  ],
  // `curl -O …/x.sh`, `wget …/x.sh`
  [
    anyOf('curl |wget '),
    /(?<![\w-])(?:curl\s[^\n;&|]{0,200}?(?:(?<=\s)-[a-z]{0,6}o(?=\s)|--remote-name)|wget)\s[^\n;&|]{0,300}?\/([\w.-]{1,80})["']?(?=$|[\s`;&|)])/my,
  ],
]

/** Files that a shell, a scheduler or version control runs automatically. */
const runsAutomatically =
  /(?:^|[/\\])(?:\.(?:ba|z|k)?shrc|\.(?:bash_|z)?profile|\.zshenv)$|\.git\/hooks\/\w|\/etc\/(?:profile\.d|cron\.[a-z]{1,8})\/\w/
/** Commands that show or verify a file. */
const checker =
  /\b(?:less|more|bat|cat|head|sha\d{0,3}sum|shasum|md5sum|gpg|cosign|minisign|get-filehash|get-content|openssl\s+dgst)\b/
const digests = /sums\b|checksums?\b/

/** Finds downloads that are saved to a file or variable and then run. */
export function findDownloads({ text, matches }: LintText, report: Report): void {
  const reported = new Set<number>()
  for (const [starts, pattern] of savePatterns) {
    for (const { index, 0: whole, 1: path = '' } of matches(starts, pattern)) {
      const after = text.slice(index + whole.length, index + whole.length + runDistance)
      if (reported.has(index) || !(runsAutomatically.test(path) || runsFile(after, path))) continue
      reported.add(index)
      const command = whole + (/^[^\n;&|]{0,400}/.exec(after)?.[0] ?? '')
      const rule = isKnownInstaller(command) ? 'known-installer' : 'run-download'
      report(rule, 'runs a file right after its download; verify the file first', index)
    }
  }
  for (const { index } of matches(downloaders, downloadCommand)) {
    const name = assigned.exec(text.slice(Math.max(0, index - 100), index))?.[1]
    if (name === undefined || !runsVariable(text.slice(index, index + runDistance), name)) continue
    report('run-fetched-code', 'runs a download that is stored in a variable', index)
  }
}

const interpreters =
  '(?:(?:ba|z|da|k)?sh|source|\\.|&|python[\\d.]*|node|perl|ruby|php|powershell(?:\\.exe)?|pwsh|start|start-process|cmd(?:\\.exe)?[ \\t]+/c|open|dpkg|rpm|installer|msiexec(?:\\.exe)?|apt(?:-get)?[ \\t]+install|dnf[ \\t]+install)[ \\t]+(?:-\\S+[ \\t]+)*'

/** Returns whether commands run a file without verifying it first. */
function runsFile(after: string, path: string): boolean {
  const name = path.split(/[/\\]/).at(-1) ?? ''
  if (!/[a-z]/.test(name) || path.includes('/dev/null')) return false
  const file = escaped(name.replace(/\.git$/, ''))
  const before = `(?:^|[\\n;&|\`(]|\\bsudo\\b)[ \\t#>$]*(?:sudo\\s+(?:-\\S+\\s+)?)?`
  const place = `["']?(?:\\.|~|\\$\\w+|/|[a-z]:)[^\\s"';&|]{0,80}[/\\\\]?`
  const ends = `(?=["']?(?:\\s|$|[;&|\`]))`
  const program = /\.(?:exe|bat|cmd|ps1|msi)$/.test(name) ? `|["']?${file}${ends}` : ''
  const run = `${before}(?:${interpreters}["']?(?:[^\\s"';&|]{0,80}[/\\\\])?${file}(?![\\w.-])|${place}${file}${ends}${program})`
  let at = after.search(new RegExp(run))
  if (at < 0) {
    at = after.search(new RegExp(`chmod[ \\t][^\\n;&|]{0,80}?${file}${ends}`))
    const named = new RegExp(`(?:[\\n;&|]|\\bsudo)[ \\t$]*${file}${ends}`)
    if (at < 0 || !named.test(after.slice(at + 6))) return false
  }
  // In `echo "DIGEST  file" | sha256sum -c`, the file precedes the checker.
  const stem = new RegExp(`(?<![\\w-])${escaped(name.replace(/\.\w{1,5}$/, ''))}(?![\\w-])`)
  const lines = after.slice(0, at).split('\n')
  return !lines.some((line) => checker.test(line) && (stem.test(line) || digests.test(line)))
}

/** A download assigned to a shell variable: `x=$(curl …)`, `$x = irm …`. */
const downloadCommand = /(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)\s/y
/** The variable and the assignment before the download. */
const assigned = /([a-z_]\w{0,40})\s{0,4}=\s{0,4}["']?(?:(?:\$\(|`|\()\s{0,4})?$/
const downloaders = anyOf('curl |wget |irm |iwr |invoke-')

function runsVariable(after: string, name: string): boolean {
  const use = `["']?\\(?\\$\\{?${name}\\b`
  const runs = `(?:eval|iex|invoke-expression|(?:ba|z|da|k)?sh\\s+-c|(?:ba|z|da|k)?sh\\s*<<<)\\s*${use}`
  const piped = `(?:echo|printf)\\s+${use}\\}?["']?\\s*\\|\\s*(?:sudo\\s+)?(?:ba|z|da|k)?sh\\b`
  return new RegExp(`${runs}|${piped}|${use}[\\w.]*\\s*\\|\\s*iex\\b`).test(after)
}
