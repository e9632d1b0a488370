import { reservedSegments } from '@skillpass/contract'
import { type Letter, lettersOf, wordSkeletons } from './skeleton.ts'

const wordsOf = (text: string) => text.trim().split(/\s+/)

/** Stands for the service itself, wherever it occurs in a name. */
const brand = 'skillpass'

/** Words of rank: before whatever a registry has they make it the service's own. */
const rankWords = wordsOf('official officials verified certified authentic trusted genuine')

/** Words by which somebody claims to speak for a service. */
const authorityWords = [
  ...rankWords,
  ...wordsOf(`
  admin admins administrator administrators administration root superuser sysadmin system staff
  team moderator moderators moderation mod mods operator operators webmaster hostmaster postmaster
  support help helpdesk service customer security abuse safety trust verification legal privacy
  compliance billing payments press registry marketplace importer noreply mailerdaemon account
  accounts login logon logout signin signon signup signout passwordreset`),
]

/** Words that beside those above name a desk or a notice of the service, and nothing by themselves. */
const roleWords = wordsOf(`
  services customers desk center centre department message messages notice notices notification
  notifications alert alerts contact care settings password recovery user users`)

/** What a registry holds: "official skills" are the service's, "security skills" are anybody's. */
const goodsWords = wordsOf('skill skills agent agents app apps publisher')

/** Names of mailboxes (RFC 2142), hosts and pages, and words that stand for nobody or everybody. */
const placeWords = [
  ...reservedSegments,
  ...wordsOf(`
  sudo sys daemon maintainer services contact info feedback verify copyright dmca payment invoice
  invoices sales media news jobs careers marketing registrar import imports platform internal app
  apps apis auth register password settings profile dashboard token tokens webhook webhooks status
  doc documentation blog about terms tos pricing download downloads www www1 www2 web ftp smtp
  imap pop pop3 dns ns ns1 ns2 mx mail email mailer donotreply bounce bounces notification
  notifications notify alert alerts localhost cdn static undefined null nil none nan void true
  false unknown anonymous anon anybody anyone everybody everyone nobody somebody someone all
  public private guest user users self me you us default deleted removed banned blocked hidden`),
]

/** Words between those of a title that change nothing about whom it claims to be. */
const linkWords = wordsOf('the of by for from and at your our')

const shapeOf = (name: string) => wordSkeletons(name).join('')
const places = new Set(placeWords.map(shapeOf))

/** Words and their beginnings, by what they look like letter by letter. */
interface Vocabulary {
  readonly words: ReadonlySet<string>
  readonly beginnings: ReadonlySet<string>
}

const spell = (word: string) => lettersOf(word).map(({ shape }) => shape)

function vocabulary(...lists: readonly (readonly string[])[]): Vocabulary {
  const spelt = lists.flat().map(spell)
  const beginnings = spelt.flatMap((word) => word.map((_, at) => word.slice(0, at + 1).join('')))
  return { words: new Set(spelt.map((word) => word.join(''))), beginnings: new Set(beginnings) }
}

/** A name and all that is one letter away from it: less, more or another. */
function misspellings(name: string): string[] {
  const letters = ['', ...'abcdefghijklmnopqrstuvwxyz']
  return Array.from({ length: name.length + 1 }, (_, at) => {
    const [before, after] = [name.slice(0, at), name.slice(at)]
    return letters.flatMap((letter) => [before + letter + after, before + letter + after.slice(1)])
  }).flat()
}

const brandLetters = spell(brand)
const nearBrand = misspellings(brand)
const nearBrandShapes = new Set(nearBrand.map(shapeOf))

/** Whether a word is the brand with a letter of any alphabet less, more or in the place of another. */
function isNearBrand(word: string): boolean {
  if (nearBrandShapes.has(word)) return true
  const letters = Array.from(word)
  const more = letters.length - brandLetters.length
  if (Math.abs(more) > 1) return false
  const differs = letters.findIndex((letter, at) => letter !== brandLetters[at])
  const at = differs < 0 ? letters.length : differs
  const rest = letters.slice(more < 0 ? at : at + 1).join('')
  return rest === brandLetters.slice(more > 0 ? at : at + 1).join('')
}

/** A name made of the first words and of none but the second alone is reserved. */
const claims: readonly (readonly [all: Vocabulary, harmless: Vocabulary])[] = [
  [vocabulary(nearBrand, authorityWords, roleWords, linkWords), vocabulary(roleWords, linkWords)],
  [
    vocabulary(authorityWords, roleWords, goodsWords, linkWords),
    vocabulary(
      authorityWords.filter((word) => !rankWords.includes(word)),
      roleWords,
      goodsWords,
      linkWords,
    ),
  ],
]

/** What of a word may have been read after one more letter; the empty text is the end of a word. */
function readOn(states: ReadonlySet<string>, letter: Letter, { words, beginnings }: Vocabulary) {
  const next = new Set<string>()
  for (const state of states) {
    if (letter.optional) next.add(state)
    const longer = state + letter.shape
    if (beginnings.has(longer)) next.add(longer)
    if (words.has(longer)) next.add('')
  }
  return next
}

/** Whether a name is words of a vocabulary in a row and nothing else. */
function isMadeOf(letters: readonly Letter[], known: Vocabulary): boolean {
  let states: ReadonlySet<string> = new Set([''])
  for (const letter of letters) states = readOn(states, letter, known)
  return states.has('')
}

/**
 * Whether Skillpass stands anywhere in a name, as it is or with one letter of another alphabet in the
 * place of one of its own.
 */
function holdsBrand(letters: readonly Letter[]): boolean {
  // How many of its letters are read, exactly and with one that is another.
  let [exact, close] = [new Set<number>(), new Set<number>()]
  for (const { shape, optional } of letters) {
    const isForeign = !/[a-z]/.test(shape)
    const [nextExact, nextClose] = [new Set<number>(), new Set<number>()]
    for (const count of exact.add(0)) {
      if (optional) nextExact.add(count)
      if (shape === brandLetters[count]) nextExact.add(count + 1)
      else if (isForeign) nextClose.add(count + 1)
    }
    for (const count of close) {
      if (optional) nextClose.add(count)
      if (shape === brandLetters[count]) nextClose.add(count + 1)
    }
    if (nextExact.has(brandLetters.length) || nextClose.has(brandLetters.length)) return true
    ;[exact, close] = [nextExact, nextClose]
  }
  return false
}

/**
 * Whether a title, such as an app's or a display name, claims to speak for the service: one with
 * Skillpass in it or with a word one letter of any alphabet away, or made of reserved words alone, as
 * "Official Support", "SecurityTeam" and "admin-1" are. Longer titles may hold them: "Support Desk
 * Helper" is free. Compared by what a title looks like, where digits and signs are the letters they
 * resemble or nothing: `Adm1n`, `skill|pass` and `Аdmin` with a Cyrillic letter are reserved too.
 */
export function isReservedTitle(title: string): boolean {
  const letters = lettersOf(title)
  if (holdsBrand(letters)) return true
  const words = [title, title.replace(/[^\p{L}\p{M}\s_.-]/gu, '')].flatMap(wordSkeletons)
  if (words.some(isNearBrand)) return true
  return claims.some(([all, harmless]) => isMadeOf(letters, all) && !isMadeOf(letters, harmless))
}

/** Whether a username or an owner is kept for the operator: titles that are, and places. */
export const isReservedName = (name: string): boolean =>
  isReservedTitle(name) || places.has(shapeOf(name))

/** What a refusal says of such a name. */
export const reservedNameMessage = 'is reserved, or looks like a name that is'
