/** Token formats with a distinctive prefix. */
export const tokenFormats: readonly (readonly [kind: string, source: string])[] = [
  ['an AWS access key', '(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])'],
  ['a GitHub token', 'gh[pousr]_[A-Za-z0-9]{36,255}'],
  ['a GitHub token', 'github_pat_[A-Za-z0-9_]{50,255}'],
  ['a GitLab token', 'glpat-[A-Za-z0-9_-]{20,64}'],
  ['a Slack token', 'xox[abeoprs]-[A-Za-z0-9-]{16,255}'],
  ['a Google API key', 'AIza[0-9A-Za-z_-]{35}'],
  ['a Google client secret', 'GOCSPX-[0-9A-Za-z_-]{28}'],
  ['a Stripe key', '[sr]k_live_[0-9A-Za-z]{16,255}'],
  ['an npm token', 'npm_[A-Za-z0-9]{36}'],
  ['a Hugging Face token', 'hf_[A-Za-z0-9]{34}'],
  ['an Anthropic key', 'sk-ant-[A-Za-z0-9_-]{24,255}'],
  ['an OpenAI key', 'sk-(?:(?:proj|svcacct|admin)-[A-Za-z0-9_-]{24,255}|[A-Za-z0-9]{32,64})'],
  ['a SendGrid key', 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}'],
  ['a PyPI token', 'pypi-AgEI[A-Za-z0-9_-]{50,255}'],
  ['a DigitalOcean token', 'do[opr]_v1_[a-f0-9]{64}'],
  ['a JSON Web Token', 'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{20,}'],
  ['a Skillpass key', 'skp_[0-9A-Za-z]{36}(?![0-9A-Za-z])'],
]

/** All token formats at a word boundary, one capture group for each. */
export const tokens = new RegExp(
  `\\b(?<!-)(?:${tokenFormats.map(([, source]) => `(${source})`).join('|')})`,
  'g',
)

export const privateKey =
  /-----BEGIN (?:[A-Z]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s){1,8}([A-Za-z0-9+/=]{8,80}|[A-Za-z-]{3,12}: )/g

/** A value after `:`, `=`, `=>` or `Bearer`. `secretName` decides whether it is a secret. */
export const assigned =
  /(?:[:=]>?\s{0,4}["'`]?|[Bb]earer\s{1,3})([A-Za-z0-9+_.~!@#%^*-][A-Za-z0-9+/=_.~!@#%^*-]{11,119})/g

/**
 * Matches the name before a secret at the end of a text: `password`, `"api_key"`, `access-token =`.
 */
export const secretName =
  /(?:passw(?:or)?d|passphrase|secret(?:[_-]?key)?|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|client-key-data|token)["'`\]]{0,2}\s{0,4}=?$/i

/** Passwords in a known context. */
export const passwordContexts: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'a password in an address',
    /:\/\/([^\s/:@?#"'`<>{}$()|\\]{0,64}):(?!\1@)(?<secret>[^\s/@"'`<>{}$|\\]{6,128})@(?!localhost|127\.|host\b|sha256:|[\w.-]*\bexample\b)/g,
  ],
  [
    'a login of a .netrc',
    /machine\s{1,9}\S{1,255}\s{1,9}login\s{1,9}\S{1,255}\s{1,9}password\s{1,9}(?<secret>[^\s"'`<>{}$|\\]{1,128})/g,
  ],
]

const placeholderWord =
  /example|sample|your|my[_-]|placeholder|dummy|fake|mock|change_?me|redacted|replace|insert|todo|xxx|test|demo|secret|pass|token|api_?key|here|value|\.\.\.|\*{3}|-{3}|_{3}/i
const strictWord =
  /example|your|placeholder|dummy|fake|redacted|replace|xxx|\.\.\.|\*{3}|eyJzdWIiOiIxMjM0NTY3ODkw/i

/** Whether a token in a known format is a placeholder. */
export function isPlaceholderToken(token: string): boolean {
  return strictWord.test(token) || /(.)\1{4}/.test(token) || distinct(token.slice(4)) < 8
}

/** Whether a value is a placeholder for a password or key. */
export function isPlaceholder(value: string): boolean {
  if (placeholderWord.test(value) || /(.)\1{3}/.test(value)) return true
  return /0123|1234|2345|4567|6789|abcd|bcde|cdef|qwer|abc1|a1b2|xyz/i.test(value)
}

/** Whether an assigned value looks randomly generated. */
export function looksRandom(value: string): boolean {
  if (isPlaceholder(value)) return false
  // Public blockchain addresses, which documents also call tokens.
  if (/^0x[0-9a-f]{40}$/i.test(value)) return false
  // Paths, addresses, member accesses, file names and hash names.
  if (/^[./~]|:\/\/|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^sha\d|\.(?:[a-z]{2,4})$/i.test(value))
    return false
  if (!/[A-Za-z]/.test(value) || !/\d/.test(value)) return false
  const changes = value.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
  return changes >= 3 && distinct(value) >= 8 && entropy(value) >= 3.2
}

function distinct(text: string): number {
  return new Set(text).size
}

/** Shannon entropy in bits per character. */
function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
