import { isKnownInstaller } from './known-installers.ts'
import { evaluating } from './patterns.ts'
import { anyOf, eachMatch, type LintText, type Words } from './text.ts'
import type { TextReport } from './types.ts'

/** A download is run soon after it is saved, if at all, in characters. */
const soon = 800

/** Finds downloads that are kept in a file or a variable and then run. */
export function findDownloads(text: LintText, report: TextReport): void {
  findSavedFiles(text, report)
  findVariables(text, report)
}

/** A file that a download is written to. A placeholder such as `<id>` ends with no redirection. */
const saved =
  /(?<![\w-])(?:curl|wget|iwr|irm|invoke-webrequest|aria2c|start-bitstransfer)\s[^\n;&|]{0,400}?(?:(?:-[a-z]{0,6}o|--output|--output-document|-outfile|-destination)[ =]{1,4}|(?<!<[a-z][\w -]{0,40})>{1,2}[ \t]{0,4})["']?([^\s"'`;&|)]{1,120})/g
/** `curl -O …/x.sh`, `wget …/x.sh`. */
const savedByName =
  /(?<![\w-])(?:curl\s[^\n;&|]{0,200}?(?:(?<=\s)-[a-z]{0,6}o(?=\s)|--remote-name)|wget)\s[^\n;&|]{0,300}?\/([\w.-]{1,80})["']?(?=$|[\s`;&|)])/gm
/** `(New-Object Net.WebClient).DownloadFile('https://…', 'x.exe')` and Windows' own downloaders. */
const savedOnWindows =
  /(?:downloadfile\(\s{0,4}["']?[^"'\n,]{1,300}["']?\s{0,4},\s{0,4}|(?<![\w-])(?:certutil(?:\.exe)?\s[^\n;&|]{0,40}?-urlcache|bitsadmin(?:\.exe)?\s[^\n;&|]{0,40}?\/transfer|start-bitstransfer)\s[^\n;&|]{0,80}?https?:[^\s"']{1,300}["']?\s{1,4}(?!-))["']?([^\s"'`;&|)]{1,120})/g
const savings: readonly (readonly [needs: Words, pattern: RegExp])[] = [
  [anyOf('curl|wget|iwr|irm|invoke-webrequest|aria2c|start-bits'), saved],
  [anyOf('curl|wget'), savedByName],
  [anyOf('downloadfile|certutil|bitsadmin|start-bits'), savedOnWindows],
]

/** A file that a shell, a scheduler or a version control runs without being told to. */
const startsByItself =
  /(?:^|[/\\])(?:\.(?:ba|z|k)?shrc|\.(?:bash_|z)?profile|\.zshenv)$|\.git\/hooks\/\w|\/etc\/(?:profile\.d|cron\.[a-z]{1,8})\/\w/
/** A command that shows or checks a file before it is run. */
const checker =
  /\b(?:less|more|bat|cat|head|sha\d{0,3}sum|shasum|md5sum|gpg|cosign|minisign|get-filehash|get-content|certutil\s+-hashfile|openssl\s+dgst)\b/
/** The name of a list of digests, which names the files within. */
const digests = /sums\b|checksums?\b/

function findSavedFiles({ text, has }: LintText, report: TextReport): void {
  const reported = new Set<number>()
  for (const [needs, pattern] of savings) {
    if (!has(needs)) continue
    eachMatch(pattern, text, ({ index, 0: whole, 1: path = '' }) => {
      const after = text.slice(index + whole.length, index + whole.length + soon)
      if (reported.has(index) || !(startsByItself.test(path) || runsFile(after, path))) return
      reported.add(index)
      const command = whole + (/^[^\n;&|]{0,400}/.exec(after)?.[0] ?? '')
      const rule = isKnownInstaller(command) ? 'known-installer' : 'run-download'
      report(rule, 'runs a file right after it is downloaded; check it first', index)
    })
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

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** What a variable of a shell takes in: `x=$(curl …)`, `$x = irm …`. */
const taken =
  /=\s{0,4}["']?(?:(?:\$\(|`|\()\s{0,4})?(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)\s/g
/** What a variable of a program takes in: `code = requests.get(…)`, `const { data } = await axios.get(…)`. */
const fetched =
  /(?<![=!<>])=(?!=)\s{0,4}(?:\(?await\s{1,4}){0,2}[(\w.]{0,40}?(?:requests?\.get|urlopen|httpx\.get|(?<![\w.])fetch|axios\.get)\s{0,4}\(/g
const assigned = /([a-z_]\w{0,40})\s{0,4}\}?\s{0,4}$/
const takers = anyOf('curl|wget|irm|iwr|invoke-')
const fetchers = anyOf('requests.get|request.get|urlopen|httpx|fetch|axios')
const runners = anyOf('eval|exec|iex|invoke-expression|sh |bash |sh<|bash<|system(')

function findVariables({ text, has }: LintText, report: TextReport): void {
  if (!has(runners)) return
  const look = (pattern: RegExp, runs: (after: string, name: string) => boolean) =>
    eachMatch(pattern, text, ({ index }) => {
      const name = assigned.exec(text.slice(Math.max(0, index - 45), index))?.[1]
      if (name === undefined || !runs(text.slice(index, index + soon), name)) return
      report('run-fetched-code', 'keeps a download in a variable and runs it', index)
    })
  if (has(takers)) look(taken, runsVariable)
  if (has(fetchers)) look(fetched, evaluates)
}

function runsVariable(after: string, name: string): boolean {
  const use = `["']?\\(?\\$\\{?${name}\\b`
  const runs = `(?:eval|iex|invoke-expression|(?:ba|z|da|k)?sh\\s+-c|(?:ba|z|da|k)?sh\\s*<<<)\\s*${use}`
  const piped = `(?:echo|printf)\\s+${use}\\}?["']?\\s*\\|\\s*(?:sudo\\s+)?(?:ba|z|da|k)?sh\\b`
  return new RegExp(`${runs}|${piped}|${use}[\\w.]*\\s*\\|\\s*iex\\b`).test(after)
}

/** Whether a variable of a program, or what is read from it, is evaluated as code. */
function evaluates(after: string, name: string): boolean {
  const read = new RegExp(`([a-z_]\\w{0,40})\\s*=\\s*(?:\\(?await\\s+)?${name}\\b`).exec(after)?.[1]
  const names = `(?:${name}|${read ?? name})`
  return new RegExp(`${evaluating}\\s*\\(\\s*(?:await\\s+)?${names}\\b`).test(after)
}
