import { distanceOf, reservedSegments } from '@skillpass/contract'
import { decompose, type Letter, lettersOf, wordSkeletons } from './skeleton.ts'

const wordsOf = (text: string) => text.trim().split(/\s+/)

/** Reserved anywhere in a name. */
const brand = 'skillpass'

/** Words that make a name official in front of any word for registry content. */
const rankWords = wordsOf('official officials verified certified authentic trusted genuine')

/** Words that claim to speak for the service. */
const officeWords = wordsOf(`
  admin admins administrator administrators administration root superuser sysadmin system staff
  team moderator moderators moderation mod mods operator operators webmaster hostmaster postmaster
  support help helpdesk service customer security abuse safety trust verification legal privacy
  compliance billing payments press registry marketplace importer noreply mailerdaemon account
  accounts login logon logout signin signon signup signout passwordreset`)

/** Words that are reserved only next to the words above, as in "support desk". */
const roleWords = wordsOf(`
  services customers desk center centre department message messages notice notices notification
  notifications alert alerts contact care settings password recovery user users`)

/** Registry content: "official skills" is reserved, "security skills" is not. */
const goodsWords = wordsOf('skill skills agent agents app apps publisher')

/** Names of mailboxes (RFC 2142), hosts and pages, and placeholders for users. */
const placeWords = [
  ...reservedSegments,
  ...wordsOf(`
  sudo sys daemon maintainer services contact info feedback verify copyright dmca payment invoice
  invoices sales media news jobs careers marketing registrar import imports platform internal app
  apps apis auth register password settings profile dashboard token tokens webhook webhooks status
  report reports doc documentation blog about terms tos pricing download downloads www www1 www2 web ftp smtp
  imap pop pop3 dns ns ns1 ns2 mx mail email mailer donotreply bounce bounces notification
  notifications notify alert alerts localhost cdn static undefined null nil none nan void true
  false unknown anonymous anon anybody anyone everybody everyone nobody somebody someone all
  public private guest user users self me you us default deleted removed banned blocked hidden`),
]

/** Words that do not change a title's meaning. */
const linkWords = wordsOf('the of by for from and at your our')

/** Words that make no other name of a title, as in "The Acme App (official)". */
const decorationWords = wordsOf(`
  app apps application real original secure safe inc incorporated ltd limited llc gmbh ag sa sarl srl bv
  plc pty corp corporation co company tm authorized authorised approved licensed legitimate certificated
  version beta new oficial officiel offiziell ufficiale официальный 官方 公式 공식`)

const shapeOf = (name: string) => wordSkeletons(name).join('')
const decorations = new Set([...rankWords, ...linkWords, ...decorationWords].map(shapeOf))
const longDecorations = [...decorations].filter((word) => word.length > 6)

/** Whether a word makes no other title: a decoration, a slip of a long one, or a version. */
const isDecoration = (word: string): boolean =>
  decorations.has(word) ||
  (word.length > 5 && longDecorations.some((known) => distanceOf(word, known, 1) <= 1))

const isVersion = (word: string) => /^v?\d+([.-]\d+)*$/i.test(word)

const places = new Set(placeWords.map(shapeOf))

/** Words and their prefixes, as shapes. */
interface Vocabulary {
  readonly words: ReadonlySet<string>
  readonly beginnings: ReadonlySet<string>
}

const spell = (word: string) => lettersOf(word).map(({ shape }) => shape)

function vocabulary(...lists: readonly (readonly string[])[]): Vocabulary {
  const skeletons = lists.flat().map(spell)
  const beginnings = skeletons.flatMap((word) =>
    word.map((_, at) => word.slice(0, at + 1).join('')),
  )
  return { words: new Set(skeletons.map((word) => word.join(''))), beginnings: new Set(beginnings) }
}

/**
 * Returns a name with each letter replaced by each of `letters`, and with each inserted anywhere.
 */
const editsOf = (name: string, letters: readonly string[]): string[] =>
  Array.from({ length: name.length + 1 }, (_, at) => {
    const [before, after] = [name.slice(0, at), name.slice(at)]
    return letters.flatMap((letter) => [before + letter + after, before + letter + after.slice(1)])
  }).flat()

const brandLetters = spell(brand)
/** The brand and all names within one edit of it. */
const nearBrand = editsOf(brand, ['', ...'abcdefghijklmnopqrstuvwxyz'])
const nearBrandShapes = new Set(nearBrand.map(shapeOf))
const oneEdit = new RegExp(`^(?:${editsOf(brandLetters.join(''), ['.?']).join('|')})$`, 'u')

/** Returns whether a word is within one edit of the brand, in any alphabet. */
const isNearBrand = (word: string): boolean => nearBrandShapes.has(word) || oneEdit.test(word)

/** A name is reserved if it consists of `all` words but not of `harmless` words only. */
const claims: readonly (readonly [all: Vocabulary, harmless: Vocabulary])[] = [
  [
    vocabulary(nearBrand, rankWords, officeWords, roleWords, linkWords),
    vocabulary(roleWords, linkWords),
  ],
  [
    vocabulary(rankWords, officeWords, roleWords, goodsWords, linkWords),
    vocabulary(officeWords, roleWords, goodsWords, linkWords),
  ],
]

/** Advances the set of partial words by one letter. The empty string is the end of a word. */
function advance(states: ReadonlySet<string>, letter: Letter, { words, beginnings }: Vocabulary) {
  const next = new Set<string>()
  for (const state of states) {
    if (letter.optional) next.add(state)
    const longer = state + letter.shape
    if (beginnings.has(longer)) next.add(longer)
    if (words.has(longer)) next.add('')
  }
  return next
}

/** Returns whether a name consists only of words of a vocabulary. */
function consistsOf(letters: readonly Letter[], known: Vocabulary): boolean {
  let states: ReadonlySet<string> = new Set([''])
  for (const letter of letters) states = advance(states, letter, known)
  return states.has('')
}

/** Returns whether a name contains the brand, with at most one foreign letter. */
function containsBrand(letters: readonly Letter[]): boolean {
  // Numbers of brand letters matched exactly, and with one foreign letter.
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
 * Returns whether a title, such as the name of an app, claims to speak for the service. Such a
 * title contains Skillpass, has a word within one edit of it, or consists only of reserved words:
 * "Official Support", "SecurityTeam", "admin-1". "Support Desk Helper" is allowed. Titles are
 * compared by their appearance, and digits and symbols count as the letters they resemble or not at
 * all: `Adm1n`, `skill|pass` and `Аdmin` with a Cyrillic letter are reserved.
 */
export function isReservedTitle(title: string): boolean {
  const letters = lettersOf(title)
  if (containsBrand(letters)) return true
  const words = [title, title.replace(/[^\p{L}\p{M}\s_.-]/gu, '')].flatMap(wordSkeletons)
  if (words.some(isNearBrand)) return true
  return claims.some(
    ([all, harmless]) => consistsOf(letters, all) && !consistsOf(letters, harmless),
  )
}

/**
 * Returns the skeleton of a title without decoration. Titles with equal ones look like one app:
 * "Acme", "The A¢me App", "ACME™ (official)". Empty if the title is only decoration.
 */
export function titleSkeleton(title: string): string {
  const punctuation = /(?<![\p{L}\p{N}])[^\p{L}\p{N}$@€([{]+|[^\p{L}\p{N}([{]+(?![\p{L}\p{N}])/gu
  const plain = plainLetters(title).replace(punctuation, ' ')
  const withoutBrackets = plain.replace(/(?<=.)[([{].*$/, '')
  const [skeleton, whole] = [withoutBrackets, plain].map((text) =>
    text
      .split(/\s+/)
      // `wordSkeletons` splits `GmbH` in two words, so whole words are compared first.
      .filter((word) => !isDecoration(shapeOf(word)) && !isVersion(word))
      .flatMap(wordSkeletons)
      .filter((word) => !isDecoration(word))
      .join(''),
  )
  return skeleton || whole || ''
}

/** Replaces letters in circles and the like, and sets words apart from ideographs beside them. */
const plainLetters = (title: string): string =>
  decompose(title.replace(/[©®™℠]|ᵀᴹ/g, ' ')).replace(
    /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}]+/gu,
    ' $& ',
  )

/**
 * Returns the skeletons of all that readers may see in a title: its parts in brackets, and the
 * title without symbols, without digits, or without a decoration that is written without a space.
 */
export function titleReadings(title: string): string[] {
  const plain = plainLetters(title)
  const readings = [
    ...[title, ...title.split(/[()[\]{}]/), plain.replace(/[^\p{L}\p{N}\s]/gu, '')],
    ...[plain.replace(/\d+(?!\p{L})|(?<!\p{L})\d+/gu, ''), plain.replace(/[^\p{L}\s]/gu, '')],
  ].map(titleSkeleton)
  const bare = readings.flatMap((one) =>
    [...decorations].flatMap((word) => [
      ...(word.length > 2 && one.startsWith(word) ? [one.slice(word.length)] : []),
      ...(word.length > 2 && one.endsWith(word) ? [one.slice(0, -word.length)] : []),
    ]),
  )
  return [...new Set([...readings, ...bare])].filter(Boolean)
}

/** Whether two skeletons look alike: equal ones, and long ones within one edit. */
export const areAlike = (one: string, other: string): boolean =>
  one === other || (Math.min(one.length, other.length) > 7 && distanceOf(one, other, 1) <= 1)

/** Returns whether a username or owner is reserved for the operator: a reserved title or place. */
export const isReservedName = (name: string): boolean =>
  isReservedTitle(name) || places.has(shapeOf(name))

export const reservedNameMessage = 'is reserved or looks like a reserved name: choose another one'
