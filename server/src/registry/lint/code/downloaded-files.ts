import type { TextReport } from '../report/types.ts'
import { eachMatch } from '../text/each-match.ts'
import { isKnownInstaller } from './known-installers.ts'

/** A file that a download is written to. A placeholder such as `<id>` ends with no redirection. */
const saved =
  /(?<![\w-])(?:curl|wget|iwr|irm|invoke-webrequest|aria2c|start-bitstransfer)\s[^\n;&|]{0,400}?(?:(?:-[a-z]{0,6}o|--output|--output-document|-outfile|-destination)[ =]{1,4}|(?<!<[a-z][\w -]{0,40})>{1,2}[ \t]{0,4})["']?([^\s"'`;&|)]{1,120})/g
/** `curl -O …/x.sh`, `wget …/x.sh`. */
const savedByName =
  /(?<![\w-])(?:curl\s[^\n;&|]{0,200}?(?:(?<=\s)-[a-z]{0,6}o(?=\s)|--remote-name)|wget)\s[^\n;&|]{0,300}?\/([\w.-]{1,80})["']?(?=$|[\s`;&|)])/gm
/** `(New-Object Net.WebClient).DownloadFile('https://…', 'x.exe')` and Windows' own downloaders. */
const savedOnWindows =
  /(?:downloadfile\(\s{0,4}["']?[^"'\n,]{1,300}["']?\s{0,4},\s{0,4}|(?<![\w-])(?:certutil(?:\.exe)?\s[^\n;&|]{0,40}?-urlcache|bitsadmin(?:\.exe)?\s[^\n;&|]{0,40}?\/transfer|start-bitstransfer)\s[^\n;&|]{0,80}?https?:[^\s"']{1,300}["']?\s{1,4}(?!-))["']?([^\s"'`;&|)]{1,120})/g

/** A file that a shell, a scheduler or a version control runs without being told to. */
const startsByItself =
  /(?:^|[/\\])(?:\.(?:ba|z|k)?shrc|\.(?:bash_|z)?profile|\.zshenv)$|\.git\/hooks\/\w|\/etc\/(?:profile\.d|cron\.[a-z]{1,8})\/\w/

/** Who looks at a file or checks it before it is run, up to the end of the line. */
const checker =
  /\b(?:less|more|bat|cat|head|sha\d{0,3}sum|shasum|md5sum|gpg|cosign|minisign|get-filehash|get-content|certutil\s+-hashfile|openssl\s+dgst)\b[^\n;&]{0,200}/g
/** The name of a list of digests, which names the files within. */
const digests = /sums\b|checksums?\b/

/** A file is run soon after it is saved, if at all, in characters. */
const soon = 800

/** Finds downloads that are saved and then run. */
export function findDownloadedFiles(text: string, report: TextReport): void {
  const reported = new Set<number>()
  for (const pattern of [saved, savedByName, savedOnWindows]) {
    eachMatch(pattern, text, ({ index, 0: whole, 1: path = '' }) => {
      const end = index + whole.length
      if (reported.has(index)) return
      if (!startsByItself.test(path) && !runsFile(text.slice(end, end + soon), path)) return
      reported.add(index)
      const command = whole + (/^[^\n;&|]{0,400}/.exec(text.slice(end, end + 400))?.[0] ?? '')
      const rule = isKnownInstaller(command) ? 'known-installer' : 'run-download'
      report(rule, 'runs a file right after it is downloaded; check it first', index)
    })
  }
}

function runsFile(after: string, path: string): boolean {
  const name = path.split(/[/\\]/).at(-1) ?? ''
  if (!/[a-z]/.test(name) || path.includes('/dev/null')) return false
  const file = escaped(name.replace(/\.git$/, ''))
  const before = `(?:^|[\\n;&|\`(]|\\bsudo\\b)[ \\t#>$]*(?:sudo\\s+(?:-\\S+\\s+)?)?`
  const interpreter =
    '(?:(?:ba|z|da|k)?sh|source|\\.|&|python[\\d.]*|node|perl|ruby|php|powershell(?:\\.exe)?|pwsh|start|start-process|cmd(?:\\.exe)?[ \\t]+/c|open|dpkg|rpm|installer|msiexec(?:\\.exe)?|apt(?:-get)?[ \\t]+install|dnf[ \\t]+install)[ \\t]+(?:-\\S+[ \\t]+)*'
  const place = `["']?(?:\\.|~|\\$\\w+|/|[a-z]:)[^\\s"';&|]{0,80}[/\\\\]?`
  const ends = `(?=["']?(?:\\s|$|[;&|\`]))`
  const program = /\.(?:exe|bat|cmd|ps1|msi)$/.test(name) ? `|["']?${file}${ends}` : ''
  const run = `${before}(?:${interpreter}["']?(?:[^\\s"';&|]{0,80}[/\\\\])?${file}(?![\\w.-])|${place}${file}${ends}${program})`
  const made = `chmod[ \\t][^\\n;&|]{0,80}?${file}${ends}`
  const named = `(?:[\\n;&|]|\\bsudo)[ \\t$]*${file}${ends}`
  const at = Math.min(indexOf(run, after), indexOfFirst(made, named, after))
  return at < Infinity && !isChecked(after.slice(0, at), name)
}

/** Where a pattern matches first; Infinity if it does not. */
const indexOf = (pattern: string, text: string): number =>
  new RegExp(pattern).exec(text)?.index ?? Infinity

/** Where the first of two patterns matches, if the second matches later; one pattern for both would try each pair. */
function indexOfFirst(first: string, second: string, text: string): number {
  const match = new RegExp(first).exec(text)
  if (!match) return Infinity
  return indexOf(second, text.slice(match.index + match[0].length)) < Infinity
    ? match.index
    : Infinity
}

/** Whether a check between download and run names the file, and not just any other. */
function isChecked(between: string, name: string): boolean {
  const stem = name.replace(/\.\w{1,5}$/, '')
  const named = new RegExp(`(?<![\\w-])${escaped(stem)}(?![\\w-])`)
  let isNamed = false
  eachMatch(checker, between, ({ index, 0: check }) => {
    // `echo "DIGEST  file" | sha256sum -c` names it before.
    const line = between.slice(between.lastIndexOf('\n', index) + 1, index) + check
    isNamed ||= named.test(line) || digests.test(check)
  })
  return isNamed
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
