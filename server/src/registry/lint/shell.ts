/** Every place where a download or a decoder may be named; other lines are not looked at. */
export const anySource =
  /curl|wget|base64|xxd|openssl|iwr |irm |invoke-|downloadstring|aria2c|lynx|mshta|powershell|pwsh|\| ?rev\b|\b(?:https?|xh|w3m|nc|ncat|netcat|socat) [\w"'-]/g

const download =
  /(?<![\w-])(?:(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|xh|lynx|w3m|nc|ncat|netcat|socat)(?:\.exe)?(?=["']?\s|\$ifs|\$\{ifs)|https?\s{1,4}(?:-{1,2}[\w=-]{1,20}\s{1,4}|get\s{1,4}){0,4}(?=https?:|[\w-]{1,63}\.[a-z]))|\.downloadstring\(/
/** An address or a variable (prose such as "never curl | sh" has none), or the host that `nc` takes. */
const address =
  /:\/\/|[$<{]|\b[\w-]{1,63}\.[a-z]{2,}|\b\d{1,3}(?:\.\d{1,3}){3}\b|^(?:nc|ncat|netcat)\s{1,4}(?:-\w{1,6}\s{1,4}){0,4}[\w.$-]{2,63}/
const decode =
  /(?<![\w-])(?:base64\s{1,8}(?:-\w{0,3}d|--decode)\b|xxd\s{1,8}(?:-p\s{1,4})?-r|openssl\s{1,8}(?:enc\s{1,8})?(?:-\w{1,12}\s{1,8}){0,4}-d\b|rev\s{0,4}$)/

export type Source = 'a downloaded script' | 'decoded text'

/** What a command outputs if it downloads or decodes something. */
export function sourceOf(command: string): Source | null {
  const start = command.search(download)
  if (start >= 0 && address.test(command.slice(start))) return 'a downloaded script'
  return decode.test(command.trimEnd()) ? 'decoded text' : null
}

/** A command that runs another one and may precede a shell. */
const wrapper =
  /^(?:sudo|doas|env|exec|nohup|xargs|timeout|command|builtin|busybox|toybox|nice|ionice|time|stdbuf|setsid|unbuffer|do|then|\{)$/
/** These take a command of their own and hand the pipe on to it, somewhere among their words. */
const carrier =
  /^(?:pkexec|runuser|gosu|su-exec|setpriv|flock|chroot|unshare|nsenter|taskset|chrt|strace|firejail|bwrap|systemd-run|docker|podman|nerdctl|kubectl|lxc|incus|ssh|wsl|vagrant|parallel)$/
const shell = /^(?:ba|rba|z|da|k|mk|lk|pdk|a|ya|hu|o|y|fi|c|tc|elvi|xon)?sh$/
/** A variable may hold a shell, unless its name says that it holds a reader of data. */
const variable =
  /^\$(?!.*(?:jq|pager|less|json|format|grep|python))\{?\w{1,40}(?::?-[\w/]{1,20})?\}?$/
const interpreter =
  /^(?:python[\d.]{0,5}|node(?:js)?|deno|bun|perl|ruby|php|lua|osascript|rscript|tclsh|pwsh|powershell|\$\{?python\d?\}?)$/
const standardInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/
/** An option that names a program, by the interpreters that take it. */
const ownProgram: readonly (readonly [by: RegExp, option: RegExp])[] = [
  [/^python|^\$/, /^-[a-z]{0,6}[cm]$/],
  [/^(?:perl|ruby)/, /^-\w{0,6}[enp]/],
  [/^php/, /^-[rfs]/],
  [/^(?:pwsh|powershell)/, /^-(?:f\w*|c(?:ommand)?)$/],
  [/sh$/, /^-[a-z]{0,6}c$/],
  [/^(?:node|deno|bun|lua|osa|rs|tcl)/, /^(?:-e|-p|-pe|--eval|--print|--check)/],
]
/** An option whose next word belongs to it: `-euo pipefail`, `-u user`. */
const takesWord = /^-[a-z]{0,6}o$|^-[ugsknrdpi]$|^--(?:user|group|signal)$/
/** A program that runs its input: `xargs sh -c`, `python3 -c "exec(sys.stdin.read())"`. */
const runsInput =
  /\bxargs\s[^\n]{0,60}-c\s{0,4}$|-\w{0,6}[ce]\s{1,4}["']?(?:\$\((?:cat|<)|\{\}["']?\s*$|[^\n]{0,80}\b(?:exec|eval)\b[^\n]{0,40}(?:stdin|input|readfile))/

/** Sinks that are not a shell's name: a loop, an archive that is run, a shell that a command names, a scheduler. */
const otherSink = new RegExp(
  [
    '(?:source|\\.)\\s{1,4}\\/(?:dev\\/(?:stdin|fd\\/0)|proc\\/self\\/fd\\/0)',
    '(?:iex|invoke-expression)\\b|(?:%|foreach(?:-object)?)\\s{0,4}\\{\\s{0,4}(?:iex|invoke-expression)\\b',
    '(?:ifs=\\S{0,8}\\s{1,4})?while\\s[^\\n]{0,60}?\\bread\\b[^\\n]{0,120}?(?:\\beval\\b|\\b(?:ba|z|da)?sh\\s{1,4}-c\\b)',
    'tee\\s{1,4}>\\(\\s{0,4}(?:ba|z|da)?sh\\b',
    '(?:tar|bsdtar|cpio|gunzip|unzip|funzip)\\b[^\\n;&]{0,200}(?:&&|;)\\s{0,4}(?:cd\\s[^\\n;&]{1,80}(?:&&|;)\\s{0,4})?(?:sudo\\s{1,4})?(?:\\.\\/[\\w$]|(?:ba|z|da)?sh\\s{1,4}[\\w./$])',
    '["\']?(?:\\$\\(|`)\\s{0,4}(?:which|command\\s{1,4}-v|type\\s{1,4}-p|echo)\\s{1,4}["\']?(?:[\\w$/{]{0,20}\\/)?(?:\\$\\{?shell\\}?|(?:ba|z|da|k)?sh)["\']?\\s{0,4}[)`]',
    '["\']?\\$\\{(?:shell|bash)\\b[^}\\s]{0,20}\\}',
    'su(?=\\s|$)(?![^|;&\\n]{0,120}\\s-c\\s)(?:\\s{1,4}-l?)?(?:\\s{1,4}\\w{1,32})?\\s{0,4}(?:$|[`"\');&])',
    'su\\s[^|;&\\n]{0,80}?-c\\s{1,4}["\']?(?:\\/(?:usr\\/)?bin\\/)?(?:ba|z|da|k)?sh(?:\\s{1,4}-s)?["\'`]{0,2}(?:\\s|$)',
    'at\\s{1,4}(?:now|midnight|noon|teatime|tomorrow)\\b|batch\\s{0,4}(?:$|[`"\');&])',
    'crontab\\s{1,4}(?:-u\\s{1,4}\\S{1,32}\\s{1,4})?(?:-|/dev/stdin)(?=\\s|$|[`"\');&])',
    'make\\s[^|;&\\n]{0,60}?-f\\s{0,4}(?:-|/dev/stdin)(?=\\s|$|[`"\');&])',
  ]
    .map((way) => `^\\s{0,20}(?:sudo\\s{1,4})?(?:${way})`)
    .join('|'),
)

/** Whether the command that a pipe leads to runs the output of the pipe as a program. */
export function isSink(piped: string): boolean {
  const part = piped.slice(0, 400).replace(/^&/, '')
  if (otherSink.test(part)) return true
  const end = part.search(/[;&)`\n]|\s#/)
  const words = (end < 0 ? part : part.slice(0, end)).trim().split(/\s+/)
  let at = 0
  let wrapped = false
  for (; at < words.length; at += 1) {
    const word = bare(words[at] ?? '')
    if (wrapper.test(word)) wrapped = true
    else if (/^\w+=/.test(word) || (wrapped && /^-|^\d+[smhd]?$/.test(word))) {
      if (takesWord.test(word) && !runs(bare(words[at + 1] ?? ''))) at += 1
    } else break
  }
  const written = words[at] ?? ''
  const name = bare(written)
  const others = words.slice(at + 1)
  if (carrier.test(name)) {
    return others.some((word, i) => {
      const carried = bare(word)
      return shell.test(carried) && readsPipe(carried, others.slice(i + 1), part)
    })
  }
  if (!runs(name)) return false
  if (/[^"']["'][,.\])}]*$/.test(written) && !/^["']/.test(written)) return true
  return readsPipe(name, others, part)
}

const runs = (name: string) => shell.test(name) || variable.test(name) || interpreter.test(name)

/** Whether a shell or interpreter with these arguments takes its program from the pipe. */
function readsPipe(name: string, words: readonly string[], part: string): boolean {
  for (let at = 0; at < words.length; at += 1) {
    const written = words[at] ?? ''
    const word = bare(written)
    if (word === '' || standardInput.test(word) || /^(?:\d?>|&>)/.test(written)) return true
    if (word === '-s' || word === '--') return true
    if (word === 'run' && /^(?:deno|bun)$/.test(name)) continue
    if (!word.startsWith('-')) return !isScript(written)
    if (ownProgram.some(([by, option]) => by.test(name) && option.test(word))) {
      return /^(?:-\w|--\w+)$/.test(word) && words[at + 1] === '-' ? true : runsInput.test(part)
    }
    if (/^-[a-z]*s$/.test(word) && !interpreter.test(name)) return true
    if (takesWord.test(word) && !standardInput.test(bare(words[at + 1] ?? ''))) at += 1
  }
  return true
}

/** A file or a module, not a word of a sentence that goes on after the command. */
const isScript = (word: string) => /[./$<{\\]\S|^["']?[\w-]+["']?$/.test(word) && !prose.test(word)
const prose =
  /^(?:and|then|to|or|in|on|as|first|before|after|now|once|again|if|when|with|for|it|this|which|that|is|-x?|\|)[,.:;]?$/

/** A command without its quotes, folder, suffix and the mark-up around it. */
const bare = (word: string) =>
  word
    .replace(/(?<=.)<.*$/, '')
    .replace(/^["'*([]+|["'*.,:!?)\]}\\]+$/g, '')
    .replace(/^(?!\/(?:dev|proc)\/)\S*\/(?=[^/]+$)/, '')
    .replace(/\.exe$/, '')
