import { hiddenRanges } from '@skillpass/contract'

/** A readme has lines and the signs of any script, but needs no private use characters. */
const ranges = hiddenRanges.filter(([, , , kind]) => kind === undefined || kind === 'private')

/** By UTF-16 unit: 1 for a hidden character or the first half of one beyond the basic plane. */
const hiddenUnits = new Uint8Array(0x10000)
for (const [first, last] of ranges) {
  const unit = (point: number) => (point > 0xffff ? 0xd7c0 + (point >> 10) : point)
  hiddenUnits.fill(1, unit(first), unit(last) + 1)
}

const beyondBasicPlane = ranges.filter(([first]) => first > 0xffff)

/** Where the next run of hidden characters begins, or the text's length. */
export function nextHidden(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (hiddenUnits[text.charCodeAt(at)] === 1 && hiddenWidth(text, at) > 0) return at
  }
  return text.length
}

/** Where a run of hidden characters ends. */
export function hiddenEnd(text: string, from: number): number {
  let at = from
  for (let width = hiddenWidth(text, at); width > 0; width = hiddenWidth(text, at)) at += width
  return at
}

/** UTF-16 units of the hidden character that stands here, or 0. */
function hiddenWidth(text: string, at: number): number {
  if (hiddenUnits[text.charCodeAt(at)] !== 1) return 0
  const point = text.codePointAt(at) ?? 0
  if (point <= 0xffff) return 1
  for (const [first, last] of beyondBasicPlane) if (point >= first && point <= last) return 2
  return 0
}
