import { expect, test } from 'vitest'
import { lintSkill } from '../support/lint.ts'

function lint(readme: string) {
  const description = 'Fills PDF forms. Use when a task names a form.'
  return lintSkill({ name: 'pdf', slug: 'pdf', description, tags: [], readme })
}

const rulesOf = (readme: string) => lint(readme).map(({ rule }) => rule)

test.each([
  ['U+200B ZERO WIDTH SPACE', 'a\u200bb'],
  ['U+E000 private use', 'a\ue000b'],
  ['U+200D ZERO WIDTH JOINER', 'a\u200db'],
  ['U+FE0F VARIATION SELECTOR', 'a\ufe0f'],
  ['U+E0100 VARIATION SELECTOR SUPPLEMENT', '\u{1f600}\u{e0100}'],
  [
    '6 hidden characters, the first U+E0068',
    `x${[...'hi all'].map((c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}`,
  ],
  ['U+001B ESCAPE', 'a\u001b[8mb'],
])('the lint names the hidden character %s', (name, text) => {
  const [warning] = lint(`# T\n${text}\n`)
  expect(warning).toMatchObject({
    rule: expect.stringMatching(/^hidden-(?:unicode|message)$/),
    line: 2,
  })
  expect(warning?.message).toContain(name)
})

test.each([
  ['a byte order mark at the start', '\ufeff# T'],
  ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'],
  ['a keycap', '1\ufe0f\u20e3'],
  ['an emoji with a variation selector', '\u26a0\ufe0f and \u2713\ufe0f'],
  ['the flag of Scotland', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['Persian', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645'],
  ['a variant of a Han character', '\u845b\u{e0100}'],
  ['other white space', 'a\u00a0b\t\r\n'],
])('the lint accepts %s', (_, text) => {
  expect(rulesOf(text)).toEqual([])
})

// Assembled here, so that secret scanners do not report this file.
const tail = 'q7Zr2LwX9bTn4KvYc8HsPd3MfJg6Ae5UiWo1'
test.each([
  ['an AWS access key', `AKIA${'Q7ZR2LWX9BTN4KVY'}`],
  ['a GitHub token', `ghp_${tail}`],
  ['a Slack token', `xoxb-${tail}`],
  ['a Stripe key', `sk_live_${tail}`],
  ['an Anthropic key', `sk-ant-api03-${tail}`],
  ['a Skillpass key', `skp_${tail}`],
  ['a JSON Web Token', `eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjoiYm9iIn0.${tail}`],
  ['a private key', `-----BEGIN RSA PRIVATE KEY-----\nMIIEow${tail}\n`],
  ['a password or key', `password = "${tail.slice(0, 14)}"`],
  ['a password or key', `Authorization: Bearer ${tail}`],
])('the rule secret reports %s once and masks it', (kind, text) => {
  const [warning, ...more] = lint(`# T\n\nkey=1 ${text}\n`)
  expect(more).toEqual([])
  expect(warning).toMatchObject({ rule: 'secret', line: 3, field: 'readme' })
  expect(warning?.message).toContain(kind)
  expect(warning?.message).not.toContain(tail.slice(0, 5))
})

test('the rule secret reports an assigned token once', () => {
  expect(lint(`token=ghp_${tail}`)).toHaveLength(1)
})

test.each([
  `AKIA${'IOSFODNN7EXAMPLE'}`,
  'api_key: YOUR_API_KEY_12345',
  'token: <token-of-yours-1a2b3c>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what shells write
  'password="${DB_PASSWORD_A1B2C3}"',
  'secret = process.env.SECRET_1A_2B_3C',
  'password: correct horse battery staple',
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  'token: 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  'the commit 4a547941d24578367e202c4c300b62f009e3cc29',
])('the rule secret accepts %s', (text) => {
  expect(rulesOf(text)).toEqual([])
})
