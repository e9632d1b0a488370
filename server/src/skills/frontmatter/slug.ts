import { bounds, isDeviceName } from '@skillpass/contract'

/** Latin letters that are no other letter with a mark, by what they are written as without them. */
const plainLetters = new Map(
  Object.entries({
    ...{ a: 'ɐɑⱥ', ae: 'æ', b: 'ƀƃɓ', c: 'ƈȼɕ', d: 'đðƌɖɗȡ', e: 'əǝɛɇ', f: 'ƒ', g: 'ǥɠɣ' },
    ...{ h: 'ħɦⱨ', hv: 'ƕ', i: 'ıɨɩ', j: 'ȷɉ', k: 'ĸƙⱪ', l: 'łƚɫⱡȴ', n: 'ƞɲȵ', ng: 'ŋ' },
    ...{ o: 'øɔɵ', oe: 'œ', ou: 'ȣ', p: 'ƥ', q: 'ɋ', r: 'ɍɽ', s: 'ʂȿ', ss: 'ß', t: 'ŧƫƭʈⱦȶ' },
    ...{ th: 'þ', u: 'ʉʊ', v: 'ʋⱱ', w: 'ⱳ', y: 'ƴɏ', z: 'ƶȥʒɀⱬ' },
  }).flatMap(([plain, letters]) => [...letters].map((letter) => [letter, plain] as const)),
)

/**
 * Lower case, Latin letters without their marks, anything else outside `[a-z0-9-]` as `-`, no edge hyphen, at most
 * 100 characters, and no name of a device.
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

/** Without hyphens at its edges. A run of hyphens is looked at once, from its beginning. */
export const trimHyphens = (text: string): string => text.replace(/^-+|(?<!-)-+$/g, '')
