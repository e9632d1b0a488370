import { type Report, reportIntricate } from './findings.ts'
import { anyOf, type LintText, lineBefore, type Words } from './text.ts'

/** Distance, in characters, within which a saved download must be run to count. */
const runDistance = 800

/**
 * Occurrences of a file's name behind its download that are checked. Prose names it a few times.
 */
const maxNamed = 12

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
      if (reported.has(index)) continue
      const after = text.slice(index + whole.length, index + whole.length + runDistance)
      const isRun = runsAutomatically.test(path) || runsFile(after, path)
      if (isRun === 'unknown') reportIntricate(report, index)
      if (isRun !== true) continue
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

/**
 * Text before a file on its line that runs the file: with an interpreter, by its path, by its name.
 */
const runsBefore = {
  interpreter:
    /(?:^|[;&|`(]|\bsudo\b)[ \t#>$]*(?:sudo\s+(?:-\S+\s+)?)?(?:(?:ba|z|da|k)?sh|source|\.|&|python[\d.]*|node|perl|ruby|php|powershell(?:\.exe)?|pwsh|start|start-process|cmd(?:\.exe)?[ \t]+\/c|open|dpkg|rpm|installer|msiexec(?:\.exe)?|apt(?:-get)?[ \t]+install|dnf[ \t]+install)[ \t]+(?:-\S+[ \t]+)*["']?(?:[^\s"';&|]{0,80}[/\\])?$/,
  path: /(?:^|[;&|`(]|\bsudo\b)[ \t#>$]*(?:sudo\s+(?:-\S+\s+)?)?["']?(?:\.|~|\$\w+|\/|[a-z]:)[^\s"';&|]{0,80}$/,
  program: /(?:^|[;&|`(]|\bsudo\b)[ \t#>$]*(?:sudo\s+(?:-\S+\s+)?)?["']?$/,
  executable: /(?:^|[;&|]|\bsudo)[ \t$]*$/,
}
const chmod = /chmod[ \t][^;&|]{0,80}$/
const ends = /^["']?(?:\s|$|[;&|`])/

/** Returns whether commands run a file without verifying it first, or `unknown` for many names. */
function runsFile(after: string, path: string): boolean | 'unknown' {
  const name = path.split(/[/\\]/).at(-1) ?? ''
  if (!/[a-z]/.test(name) || path.includes('/dev/null')) return false
  const file = name.replace(/\.git$/, '')
  const isProgram = /\.(?:exe|bat|cmd|ps1|msi)$/.test(name)
  let [run, changed, count] = [-1, -1, 0]
  for (const at of placesOf(file, after)) {
    if (count++ === maxNamed) return 'unknown'
    const [line, rest] = [lineBefore(after, at, 240), after.slice(at + file.length)]
    const isWhole = ends.test(rest)
    const isRun =
      (!/^[\w.-]/.test(rest) && runsBefore.interpreter.test(line)) ||
      (isWhole && (runsBefore.path.test(line) || (isProgram && runsBefore.program.test(line))))
    if (isRun) run = at
    else if (isWhole && changed >= 0 && runsBefore.executable.test(line)) run = changed
    else if (isWhole && changed < 0 && chmod.test(line)) changed = at
    if (run >= 0) break
  }
  // In `echo "DIGEST  file" | sha256sum -c`, the file precedes the checker.
  const stem = name.replace(/\.\w{1,5}$/, '')
  const lines = run < 0 ? [] : after.slice(0, run).split('\n')
  const isNamed = (line: string) => {
    for (const at of placesOf(stem, line)) {
      if (!/[\w-]/.test(line.charAt(at - 1) + line.charAt(at + stem.length))) return true
    }
    return digests.test(line)
  }
  return run >= 0 && !lines.some((line) => checker.test(line) && isNamed(line))
}

/** Yields the offsets of a word in a text, except within longer words. */
function* placesOf(word: string, text: string): Generator<number> {
  for (let at = text.indexOf(word); at >= 0 && word !== ''; at = text.indexOf(word, at + 1)) {
    if (!/\w/.test(text.charAt(at - 1))) yield at
  }
}

/** A download assigned to a shell variable: `x=$(curl …)`, `$x = irm …`. */
const downloadCommand = /(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)\s/y
/** The variable and the assignment before the download. */
const assigned = /([a-z_]\w{0,40})\s{0,4}=\s{0,4}["']?(?:(?:\$\(|`|\()\s{0,4})?$/
const downloaders = anyOf('curl |wget |irm |iwr |invoke-')

/** A command that runs the text of a variable. A group captures its name. */
const variableRun =
  /(?:eval|iex|invoke-expression|(?:ba|z|da|k)?sh\s+-c|(?:ba|z|da|k)?sh\s*<<<)\s*["']?\(?\$\{?(\w+)|(?:echo|printf)\s+["']?\(?\$\{?(\w+)\}?["']?\s*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|["']?\(?\$\{?(\w+)(?:\.[\w.]*)?\s*\|\s*iex\b/g

const runsVariable = (after: string, name: string): boolean =>
  Array.from(after.matchAll(variableRun)).some(([, ...names]) => names.includes(name))

/** Hosts or paths that serve the installers of widely used tools. */
const places = `
astral.sh/ bun.sh/install deno.land/install.sh deno.land/x/install/install.sh sh.rustup.rs/
get.pnpm.io/install.sh get.docker.com/ get.helm.sh/ install.python-poetry.org/
raw.githubusercontent.com/homebrew/install/ raw.githubusercontent.com/nvm-sh/nvm/
raw.githubusercontent.com/helm/helm/ raw.githubusercontent.com/ohmyzsh/ohmyzsh/
claude.ai/install.sh claude.ai/install.ps1 fly.io/install.sh starship.rs/install.sh
ollama.com/install.sh ollama.ai/install.sh rclone.org/install.sh mise.run/ mise.jdx.dev/
get.k3s.io/ tailscale.com/install.sh deb.nodesource.com/ rpm.nodesource.com/
fnm.vercel.app/install get.volta.sh/ nixos.org/nix/install install.determinate.systems/
foundry.paradigm.xyz/ get.sdkman.io/ pixi.sh/install.sh cli.github.com/ get.chezmoi.io/
sdk.cloud.google.com/ aka.ms/installazureclideb community.chocolatey.org/install.ps1
get.scoop.sh/ getcomposer.org/installer`
  .trim()
  .split(/\s+/)

const address = /(?:[a-z][a-z+.-]{1,10}:\/\/)?[^\s"'`<>()|;\\]*[^\s"'`<>()|;\\.,]/g
/** Words that start a download. Each must be part of a recognized download. */
const anyDownloader =
  /\b(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod|downloadstring|aria2c|xh|lynx|w3m|nc|ncat|netcat|socat)\b|\bhttps?\s/g
/** Decoders, and variables set before a command, such as a proxy. */
const suspicious = /base64|xxd|openssl|\brev\b|(?<![-\w])\w{1,40}\+?=\S/

const curlOption =
  '(?:-[fslvq#146]{1,8}|-[fslq]{0,6}o[ ]?-|--(?:fail|silent|show-error|location|tlsv1\\.[23]|compressed|progress-bar|https-only|quiet|no-verbose|output-document=-)|--proto[ =]["\']?=https["\']?|--retry[ =]\\d{1,3}|-useb(?:asicparsing)?|-uri)'
/** A local file name, not a host: in lower case, curl's `-O` is the same as `-o`. */
const savedAs =
  '(?:-[fsl]{0,6}o|--output|--output-document|-outfile|-qo)[ =](?:(?:\\.|~|\\/tmp)\\/)?["\']?[\\w-]{1,60}(?:\\.(?:sh|ps1|py|exe))?["\']?'
const options = `(?:\\s{1,4}(?:${curlOption}|${savedAs}))`
/** A command that runs the installer without arguments that contain a host. */
const run =
  '(?:sudo\\s{1,4}(?:-[eh]\\s{1,4}){0,2})?(?:\\/(?:usr\\/)?bin\\/)?(?:(?:ba|z|da)?sh|python3?|iex|invoke-expression)\\b(?!\\s{1,4}-s\\b[^`)"\';&|\\n]{0,200}?\\w\\.[a-z]{2})'
/** One download command with one URL and known options only. */
const plainDownload = new RegExp(
  `(?:(?<![\\w./\\\\-])(?:curl|wget|irm|iwr|invoke-webrequest|invoke-restmethod)${options}{0,8}\\s{1,4}["']?(https:\\/\\/[^\\s"'\`<>()|;&\\\\]{4,200})["']?${options}{0,8}|(?<=\\.)downloadstring\\(["'](https:\\/\\/[^\\s"'\`<>()|;&\\\\]{4,200})["'])\\s{0,4}(?:$|[)"'\`;&>]|\\\\?\\|\\s{0,4}${run})`,
  'g',
)

/**
 * Returns whether a command, in lower case, downloads only the installer of a widely used tool.
 * Accepts plain downloads only: another URL, a proxy, an unknown option or a variable could load
 * another program.
 */
export function isKnownInstaller(command: string): boolean {
  if (suspicious.test(command)) return false
  const downloads = [...command.matchAll(plainDownload)]
  if (downloads.length === 0) return false
  if (downloads.length !== command.match(anyDownloader)?.length) return false
  const others = (command.match(address) ?? []).filter((word) =>
    /:\/\/|^[\w-]+(?:\.[\w-]+)+\//.test(word),
  )
  return [...downloads.map(([, url, script]) => url ?? script ?? ''), ...others].every(isKnown)
}

/** Branches and tags. GitHub serves commits of forks too, so commits are excluded. */
const reference =
  /^(?:head|main|master|v\d[\w.-]{0,30}|\d{1,4}(?:\.\d{1,6}){1,3}|refs\/(?:heads\/(?:main|master)|tags\/v?\d[\w.-]{0,30}))\//

function isKnown(written: string): boolean {
  if (/[$\\{}*@%[\]]/.test(written) || !written.startsWith('https://')) return false
  const rest = written.slice('https://'.length)
  const path = rest.includes('/') ? rest : `${rest}/`
  const place = places.find((place) => path.startsWith(place))
  if (place === undefined || path.includes('/../')) return false
  const isOnGitHub = place.startsWith('raw.githubusercontent.com/')
  return !isOnGitHub || reference.test(path.slice(place.length))
}
