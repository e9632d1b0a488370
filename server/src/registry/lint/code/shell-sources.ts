/** Every place where a download or a decoder may be named; other lines are not looked at. */
export const anySource =
  /curl|wget|base64|xxd|openssl|iwr |irm |invoke-|downloadstring|aria2c|lynx|mshta|powershell|pwsh|\| ?rev\b|\b(?:https?|xh|w3m|nc|ncat|netcat|socat|tr) [\w"'-]/g

const download =
  /(?<![\w-])(?:(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|xh|lynx|w3m|nc|ncat|netcat|socat)(?:\.exe)?(?=["']?\s|\$ifs|\$\{ifs)|https?\s{1,4}(?:-{1,2}[\w=-]{1,20}\s{1,4}|get\s{1,4}){0,4}(?=https?:|[\w-]{1,63}\.[a-z]))|\.downloadstring\(/
/** An address or a variable: prose such as "never curl | sh" has none. */
const address = /:\/\/|[$<{]|\b[\w-]{1,63}\.[a-z]{2,}|\b\d{1,3}(?:\.\d{1,3}){3}\b/
/** These take a host and a port. */
const hosted = /^(?:nc|ncat|netcat)\s{1,4}(?:-\w{1,6}\s{1,4}){0,4}[\w.$-]{2,63}/
const decode =
  /(?<![\w-])(?:base64\s{1,8}(?:-\w{0,3}d|--decode)\b|xxd\s{1,8}(?:-p\s{1,4})?-r|openssl\s{1,8}(?:enc\s{1,8})?(?:-\w{1,12}\s{1,8}){0,4}-d\b|rev\s{0,4}$|tr\s{1,4}["']?\[?(?:a-z|n-z|!-~)\S{0,20}\s{1,4}["']?\[?(?:n-z|b-z|p-~|d-z|z-a))/

export type Source = 'a downloaded script' | 'decoded text'

/** What the output of a command is, if it comes from elsewhere or was made unreadable. */
export function sourceOf(command: string): Source | null {
  const start = command.search(download)
  if (start >= 0) {
    const rest = command.slice(start)
    if (address.test(rest) || hosted.test(rest)) return 'a downloaded script'
  }
  return decode.test(command.trimEnd()) ? 'decoded text' : null
}
