import { isKnownInstaller } from './known-installers.ts'
import type { LintText } from './text.ts'
import type { Report } from './types.ts'
import { anyOf, escaped, type Words } from './words.ts'

/** A download is run soon after it is saved, if at all, in characters. */
const soon = 800

/** How a download is saved, with the name of the file, by the words that it begins with. */
const savings: readonly (readonly [starts: Words, pattern: RegExp])[] = [
  // `curl … -o x`, `curl … > x`: a placeholder such as `<id>` ends with no redirection.
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

/** A file that a shell, a scheduler or a version control runs without being told to. */
const startsByItself =
  /(?:^|[/\\])(?:\.(?:ba|z|k)?shrc|\.(?:bash_|z)?profile|\.zshenv)$|\.git\/hooks\/\w|\/etc\/(?:profile\.d|cron\.[a-z]{1,8})\/\w/
/** A command that shows or checks a file before it is run. */
const checker =
  /\b(?:less|more|bat|cat|head|sha\d{0,3}sum|shasum|md5sum|gpg|cosign|minisign|get-filehash|get-content|openssl\s+dgst)\b/
/** The name of a list of digests, which names the files within. */
const digests = /sums\b|checksums?\b/

/** Finds downloads that are kept in a file or a variable and then run. */
export function findDownloads({ text, matches }: LintText, report: Report): void {
  const reported = new Set<number>()
  for (const [starts, pattern] of savings) {
    for (const { index, 0: whole, 1: path = '' } of matches(starts, pattern)) {
      const after = text.slice(index + whole.length, index + whole.length + soon)
      if (reported.has(index) || !(startsByItself.test(path) || runsFile(after, path))) continue
      reported.add(index)
      const command = whole + (/^[^\n;&|]{0,400}/.exec(after)?.[0] ?? '')
      const rule = isKnownInstaller(command) ? 'known-installer' : 'run-download'
      report(rule, 'runs a file right after it is downloaded; check it first', index)
    }
  }
  for (const { index } of matches(takers, taken)) {
    const name = assigned.exec(text.slice(Math.max(0, index - 100), index))?.[1]
    if (name === undefined || !runsVariable(text.slice(index, index + soon), name)) continue
    report('run-fetched-code', 'keeps a download in a variable and runs it', index)
  }
}

const interpreters =
  '(?:(?:ba|z|da|k)?sh|source|\\.|&|python[\\d.]*|node|perl|ruby|php|powershell(?:\\.exe)?|pwsh|start|start-process|cmd(?:\\.exe)?[ \\t]+/c|open|dpkg|rpm|installer|msiexec(?:\\.exe)?|apt(?:-get)?[ \\t]+install|dnf[ \\t]+install)[ \\t]+(?:-\\S+[ \\t]+)*'

/** Whether commands run a file without a check of it before. */
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
  // `echo "DIGEST  file" | sha256sum -c` names it before.
  const stem = new RegExp(`(?<![\\w-])${escaped(name.replace(/\.\w{1,5}$/, ''))}(?![\\w-])`)
  const lines = after.slice(0, at).split('\n')
  return !lines.some((line) => checker.test(line) && (stem.test(line) || digests.test(line)))
}

/** What a variable of a shell takes in: `x=$(curl …)`, `$x = irm …`. */
const taken = /(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)\s/y
/** The variable before, and how the download is given to it. */
const assigned = /([a-z_]\w{0,40})\s{0,4}=\s{0,4}["']?(?:(?:\$\(|`|\()\s{0,4})?$/
const takers = anyOf('curl |wget |irm |iwr |invoke-')

function runsVariable(after: string, name: string): boolean {
  const use = `["']?\\(?\\$\\{?${name}\\b`
  const runs = `(?:eval|iex|invoke-expression|(?:ba|z|da|k)?sh\\s+-c|(?:ba|z|da|k)?sh\\s*<<<)\\s*${use}`
  const piped = `(?:echo|printf)\\s+${use}\\}?["']?\\s*\\|\\s*(?:sudo\\s+)?(?:ba|z|da|k)?sh\\b`
  return new RegExp(`${runs}|${piped}|${use}[\\w.]*\\s*\\|\\s*iex\\b`).test(after)
}
