/** What runs another command and may stand before a shell. */
const wrapper =
  /^(?:sudo|doas|env|exec|nohup|xargs|timeout|command|builtin|busybox|toybox|nice|ionice|time|stdbuf|setsid|unbuffer|do|then|\{)$/
const shell = /^(?:ba|rba|z|da|k|mk|lk|pdk|a|ya|hu|o|y|fi|c|tc|elvi|xon)?sh$/
/** A variable may hold a shell, unless its name says that it holds a reader of data. */
const variable =
  /^\$(?!.*(?:jq|pager|less|json|format|grep|python))\{?\w{1,40}(?::?-[\w/]{1,20})?\}?$/
const interpreter =
  /^(?:python[\d.]{0,5}|node(?:js)?|deno|bun|perl|ruby|php|lua|osascript|rscript|tclsh|pwsh|powershell|\$\{?python\d?\}?)$/
const standardInput = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/
/** An option that brings a program of its own, by the name of who takes it. */
const ownProgram: readonly (readonly [by: RegExp, option: RegExp])[] = [
  [/^python|^\$/, /^-[a-z]{0,6}[cm]$/],
  [/^(?:perl|ruby)/, /^-\w{0,6}[enp]/],
  [/^php/, /^-[rfs]/],
  [/^(?:pwsh|powershell)/, /^-(?:f\w*|c(?:ommand)?)$/],
  [/sh$/, /^-[a-z]{0,6}c$/],
  [/^(?:node|deno|bun|lua|osa|rs|tcl)/, /^(?:-e|-p|-pe|--eval|--print|--check)/],
]
/** An option of a shell or of a wrapper whose next word belongs to it: `-euo pipefail`, `-u user`. */
const takesWord = /^-[a-z]{0,6}o$|^-[ugsknrdpi]$|^--(?:user|group|signal)$/
const special =
  /^\s{0,20}(?:(?:source|\.)\s{1,4}\/(?:dev\/(?:stdin|fd\/0)|proc\/self\/fd\/0)|(?:iex|invoke-expression)\b|(?:%|foreach(?:-object)?)\s{0,4}\{\s{0,4}(?:iex|invoke-expression)\b|(?:ifs=\S{0,8}\s{1,4})?while\s[^\n]{0,60}?\bread\b[^\n]{0,120}?(?:\beval\b|\b(?:ba|z|da)?sh\s{1,4}-c\b)|tee\s{1,4}>\(\s{0,4}(?:ba|z|da)?sh\b)/
/** Code of its own that runs what comes in. */
const runsInput =
  /\bxargs\s[^\n]{0,60}-c\s{0,4}$|-\w{0,6}[ce]\s{1,4}["']?(?:\$\((?:cat|<)|\{\}["']?\s*$|[^\n]{0,80}\b(?:exec|eval)\b[^\n]{0,40}(?:stdin|input|readfile))/
const unpacksAndRuns =
  /^\s{0,20}(?:sudo\s{1,4})?(?:tar|bsdtar|cpio|gunzip|unzip|funzip)\b[^\n;&]{0,200}(?:&&|;)\s{0,4}(?:cd\s[^\n;&]{1,80}(?:&&|;)\s{0,4})?(?:sudo\s{1,4})?(?:\.\/[\w$]|(?:ba|z|da)?sh\s{1,4}[\w./$])/

/** These take a command of their own and hand the pipe on to it, somewhere among their words. */
const carrier =
  /^(?:pkexec|runuser|gosu|su-exec|setpriv|flock|chroot|unshare|nsenter|taskset|chrt|strace|firejail|bwrap|systemd-run|docker|podman|nerdctl|kubectl|lxc|incus|ssh|wsl|vagrant|parallel)$/
/** A shell that another command names, a login shell, and what keeps commands for later. */
const shellByName = new RegExp(
  [
    '["\']?(?:\\$\\(|`)\\s{0,4}(?:which|command\\s{1,4}-v|type\\s{1,4}-p|echo)\\s{1,4}["\']?(?:[\\w$/{]{0,20}\\/)?(?:\\$\\{?shell\\}?|(?:ba|z|da|k)?sh)["\']?\\s{0,4}[)`]',
    '["\']?\\$\\{(?:shell|bash)\\b[^}\\s]{0,20}\\}',
    'su(?=\\s|$)(?![^|;&\\n]{0,120}\\s-c\\s)(?:\\s{1,4}-l?)?(?:\\s{1,4}\\w{1,32})?\\s{0,4}(?:$|[`"\');&])',
    'su\\s[^|;&\\n]{0,80}?-c\\s{1,4}["\']?(?:\\/(?:usr\\/)?bin\\/)?(?:ba|z|da|k)?sh(?:\\s{1,4}-s)?["\'`]{0,2}(?:\\s|$)',
    'at\\s{1,4}(?:now|midnight|noon|teatime|tomorrow)\\b',
    'batch\\s{0,4}(?:$|[`"\');&])',
    'crontab\\s{1,4}(?:-u\\s{1,4}\\S{1,32}\\s{1,4})?(?:-|/dev/stdin)(?=\\s|$|[`"\');&])',
    'make\\s[^|;&\\n]{0,60}?-f\\s{0,4}(?:-|/dev/stdin)(?=\\s|$|[`"\');&])',
  ]
    .map((way) => `^\\s{0,20}(?:sudo\\s{1,4})?${way}`)
    .join('|'),
)

/** A sink is known by what stands at its beginning. */
const longest = 400

/** Whether what a pipe leads to runs what comes out of it as a program. */
export function isSink(piped: string): boolean {
  const part = piped.slice(0, longest).replace(/^&/, '')
  if (special.test(part) || shellByName.test(part) || unpacksAndRuns.test(part)) return true
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
  if (carrier.test(name)) return carries(words.slice(at + 1), part)
  if (!runs(name)) return false
  if (/[^"']["'][,.\])}]*$/.test(written) && !/^["']/.test(written)) return true
  return readsPipe(name, words.slice(at + 1), part)
}

const runs = (name: string) => shell.test(name) || variable.test(name) || interpreter.test(name)

/** Whether one of the words of a carrier is a shell that takes its program from the pipe. */
function carries(words: readonly string[], part: string): boolean {
  return words.some((word, at) => {
    const name = bare(word)
    return shell.test(name) && readsPipe(name, words.slice(at + 1), part)
  })
}

/** Whether a shell or interpreter with these words behind it takes its program from the pipe. */
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

/** A file or a module, and no word of a sentence that goes on after the command. */
const isScript = (word: string) => /[./$<{\\]\S|^["']?[\w-]+["']?$/.test(word) && !prose.test(word)
const prose =
  /^(?:and|then|to|or|in|on|as|first|before|after|now|once|again|if|when|with|for|it|this|which|that|is|-x?|\|)[,.:;]?$/

/** A command without its quotes, folder, suffix and the mark-up around it. */
function bare(word: string): string {
  return word
    .replace(/(?<=.)<.*$/, '')
    .replace(/^["'*([]+|["'*.,:!?)\]}\\]+$/g, '')
    .replace(/^(?!\/(?:dev|proc)\/)\S*\/(?=[^/]+$)/, '')
    .replace(/\.exe$/, '')
}
