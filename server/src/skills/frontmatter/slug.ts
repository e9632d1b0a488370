import { bounds, isDeviceName } from '@skillpass/contract'

/** Replacements for Latin letters that Unicode does not decompose. */
const plainLetters = new Map(
  Object.entries({
    ...{ a: 'ɐɑⱥ', ae: 'æ', b: 'ƀƃɓ', c: 'ƈȼɕ', d: 'đðƌɖɗȡ', e: 'əǝɛɇ', f: 'ƒ', g: 'ǥɠɣ' },
    ...{ h: 'ħɦⱨ', hv: 'ƕ', i: 'ıɨɩ', j: 'ȷɉ', k: 'ĸƙⱪ', l: 'łƚɫⱡȴ', n: 'ƞɲȵ', ng: 'ŋ' },
    ...{ o: 'øɔɵ', oe: 'œ', ou: 'ȣ', p: 'ƥ', q: 'ɋ', r: 'ɍɽ', s: 'ʂȿ', ss: 'ß', t: 'ŧƫƭʈⱦȶ' },
    ...{ th: 'þ', u: 'ʉʊ', v: 'ʋⱱ', w: 'ⱳ', y: 'ƴɏ', z: 'ƶȥʒɀⱬ' },
  }).flatMap(([plain, letters]) => [...letters].map((letter) => [letter, plain] as const)),
)

/**
 * Converts a text to a slug: lower case, Latin letters without diacritics, and `-` for everything
 * outside `[a-z0-9-]`. At most 100 characters, without hyphens at the edges. A device name of
 * Windows gets a suffix.
 */
export function slugOf(text: string): string {
  const latin = text
    .toLowerCase()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/g, (letter) => plainLetters.get(letter) ?? letter)
  const hyphened = latin.replace(/[^a-z0-9-]+/g, '-')
  const slug = trimHyphens(trimHyphens(hyphened).slice(0, bounds.slug))
  return isDeviceName(slug) ? `${slug}-skill` : slug
}

/** Trims hyphens. The lookbehind keeps the time linear for long runs of hyphens. */
export const trimHyphens = (text: string): string => text.replace(/^-+|(?<!-)-+$/g, '')
