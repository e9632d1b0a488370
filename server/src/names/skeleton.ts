import confusables from 'unhomoglyph'
import { letterOf, likeness, smallCapitals } from './look-alikes.ts'

/** What looks alike in lower case and what UTS 39, which keeps case, tells apart. */
const alike: readonly (readonly [RegExp, string])[] = [
  [/i/g, 'l'],
  [/vv/g, 'w'],
  [/ʍ/g, 'rn'],
]

/**
 * What a name looks like: names with equal skeletons are taken for each other. This is the skeleton
 * of UTS 39 §4 (its table of confusables between two normalizations), compared without case, accents
 * and characters that nobody sees. `0` is `o`, `1`, `i` and `l` are one, `rn` is `m`.
 */
export function skeletonOf(name: string): string {
  // Twice, for the table knows `I` and `l` as one, but not the `i` that lower case makes of `I`.
  const shape = looks(looks(name).toLowerCase()).toLowerCase()
  const small = shape.replace(/[^\0-\u007f]/g, (letter) => smallCapitals.get(letter) ?? letter)
  return alike.reduce((text, [letter, twin]) => text.replace(letter, twin), small)
}

/** The skeleton of a username or an owner, in which `harp-maker` is `harpmaker`. */
export const usernameSkeleton = (name: string): string => skeletonOf(name.replace(/[-_.]/g, ''))

const looks = (text: string) =>
  bare(confusables(bare(Array.from(text, (sign) => likeness.get(sign) ?? sign).join(''))))

const bare = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu, unframed)

/** White letters in black circles and squares, such as 🅚, which NFKD leaves as they are. */
const unframed = (sign: string) =>
  String.fromCharCode(0x61 + (((sign.codePointAt(0) ?? 0) - 0x1f150) % 32))

/** The skeletons of the words of a name, read with digits and signs as the letters they resemble. */
export function wordSkeletons(name: string): string[] {
  const letters = name
    .normalize('NFKD')
    .replace(/[2-9@$!|+€]/g, (sign) => letterOf.get(sign) ?? sign)
  // `AdminTeam` is two words.
  const spaced = letters.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  return skeletonOf(spaced)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/** A letter of a name, and whether it is a digit or a sign there, which a reader may pass over. */
export interface Letter {
  readonly shape: string
  readonly optional: boolean
}

/** Modifiers and clicks, which are letters to Unicode and strokes to the eye. */
const strokes = /[\p{Lm}\u01c0-\u01c3\ua78f]/u

function lettersOfSign(sign: string): Letter[] {
  const optional = !/\p{L}/u.test(sign) || strokes.test(sign)
  // The skeleton of two `v` is `w`: letter by letter it is the other way round.
  const shapes = skeletonOf(letterOf.get(sign) ?? sign).replaceAll('w', 'vv')
  return Array.from(shapes.replace(/[^\p{L}\p{N}]/gu, ''), (shape) => ({ shape, optional }))
}

/** Those of usernames and owners, for imports ask after many. */
const common = new Map(
  Array.from('abcdefghijklmnopqrstuvwxyz0123456789-', (sign) => [sign, lettersOfSign(sign)]),
)

/** The letters of a name in a row, by what they look like, without spaces and what parts words. */
export const lettersOf = (name: string): Letter[] =>
  Array.from(name.normalize('NFKD')).flatMap((sign) => common.get(sign) ?? lettersOfSign(sign))
