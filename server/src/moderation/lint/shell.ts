import { anyOf } from './words.ts'

/** Words of downloads and decoders. Lines without them are skipped. */
export const sources = anyOf(
  'curl|wget|base64|xxd|openssl|iwr |irm |invoke-|downloadstring|aria2c|lynx|powershell|pwsh|rev|http |https |xh |nc |ncat |netcat |socat ',
)

const download =
  /(?<![\w-])(?:(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|xh|lynx|nc|ncat|netcat|socat)(?:\.exe)?["']?\s|https?\s{1,4}(?:get\s{1,4})?(?=https?:|[\w-]{1,63}\.[a-z]))|\.downloadstring\(/
/** A URL, a variable or the host of `nc`, which prose such as "never curl | sh" lacks. */
const address =
  /:\/\/|[$<{]|\b[\w-]{1,63}\.[a-z]{2,}|\b\d{1,3}(?:\.\d{1,3}){3}\b|^(?:nc|ncat|netcat)\s{1,4}(?:-\w{1,6}\s{1,4}){0,4}[\w.$-]{2,63}/
const decode =
  /(?<![\w-])(?:base64\s{1,8}(?:-\w{0,3}d|--decode)\b|xxd\s{1,8}(?:-p\s{1,4})?-r|openssl\s{1,8}(?:enc\s{1,8})?(?:-\w{1,12}\s{1,8}){0,4}-d\b|rev\s{0,4}$)/

export type Source = 'a downloaded script' | 'decoded text'

/** Returns what a command outputs if it downloads or decodes something. */
export function sourceOf(command: string): Source | null {
  const start = command.search(download)
  if (start >= 0 && address.test(command.slice(start))) return 'a downloaded script'
  return decode.test(command.trimEnd()) ? 'decoded text' : null
}

/** Words that may precede a shell: commands that run another, options and assignments. */
const wrapper =
  /^(?:sudo|doas|env|exec|nohup|xargs|timeout|command|builtin|busybox|nice|time|stdbuf|setsid|do|then|\{|-\S*|\d+[smhd]?|root|\w+=.*)$/
const shell = /^(?:(?:ba|z|da|k|mk|fi)?sh|\$(?:shell|bash|sh|s|\{(?:shell|bash)\b.*)\}?)$/
const interpreter =
  /^(?:python[\d.]{0,5}|node(?:js)?|deno|bun|perl|ruby|php|osascript|pwsh|powershell)$/
/** Options that pass a program as an argument. */
const shellProgram = /^-[a-z]{0,6}c$/
const ownProgram = /^-[a-z]{0,6}[cmenpr]$|^--(?:eval|print|check)|^-(?:file|command)$/

/** PowerShell commands that run their input. */
const powershell =
  /^\s{0,20}(?:(?:%|foreach(?:-object)?)\s{0,4}\{\s{0,4})?(?:iex|invoke-expression)\b/

/** Returns whether a command runs its piped input as a program. */
export function isSink(piped: string): boolean {
  const part = piped.slice(0, 400).replace(/^&/, '')
  if (powershell.test(part)) return true
  const end = part.search(/[;&)`\n]|\s#/)
  const command = (end < 0 ? part : part.slice(0, end)).replace(/\s-\w{0,6}o pipefail\b/, '')
  const words = command.trim().split(/\s+/)
  const at = words.findIndex((word) => !wrapper.test(bare(word)))
  const written = words[at] ?? ''
  const name = bare(written)
  const isShell = shell.test(name)
  if (!isShell && !interpreter.test(name)) return false
  // The command ends at the end of a quotation or sentence.
  if (/[^"']["'][,.\])}]*$/.test(written) && !/^["']/.test(written)) return true
  for (const argument of words.slice(at + 1)) {
    const word = bare(argument)
    if (/^(?:|-s?|--|\/dev\/stdin)$/.test(word) || /^(?:\d?>|&>)/.test(argument)) return true
    if ((isShell ? shellProgram : ownProgram).test(word)) return false
    if (!word.startsWith('-') && word !== 'run') return !isScript(argument)
  }
  return true
}

/** Distinguishes a file or module from a word of the surrounding sentence. */
const isScript = (word: string) => /[./$<{\\]\S|^["']?[\w-]+["']?$/.test(word) && !prose.test(word)
const prose =
  /^(?:and|then|to|or|in|on|as|first|before|after|now|once|again|if|when|with|for|it|this|which|that|is|-x?|\|)[,.:;]?$/

/** Strips quotes, folder, suffix and surrounding markup from a command. */
const bare = (word: string) =>
  word
    .replace(/(?<=.)<.*$/, '')
    .replace(/^["'*([]+|["'*.,:!?)\]}\\]+$/g, '')
    .replace(/^(?!\/dev\/)\S*\/(?=[^/]+$)/, '')
    .replace(/\.exe$/, '')
