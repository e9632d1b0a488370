/**
 * Kind of a hidden character that is not simply invisible: `line` is a line end or a tab, which
 * multi-line text can contain, `visible` has a glyph in its script, and `private` looks as the font
 * decides.
 */
export type HiddenKind = 'line' | 'visible' | 'private'

/** A range of hidden characters: first and last code point, name and kind. */
export type HiddenRange = readonly [first: number, last: number, name: string, kind?: HiddenKind]

/** The last two code points of planes 1 to 13. */
const planeEnds = Array.from({ length: 13 }, (_, i): HiddenRange => {
  const end = (i + 2) * 0x10000
  return [end - 2, end - 1, 'noncharacter', 'private']
})

/**
 * Hidden characters: control, format and default-ignorable characters, line separators, private use
 * and noncharacters. The ranges are sorted and do not overlap.
 */
export const hiddenRanges: readonly HiddenRange[] = [
  [0x00, 0x00, 'NULL'],
  [0x01, 0x06, 'control character'],
  [0x07, 0x07, 'BELL'],
  [0x08, 0x08, 'BACKSPACE'],
  [0x09, 0x09, 'TAB', 'line'],
  [0x0a, 0x0a, 'LINE FEED', 'line'],
  [0x0b, 0x0c, 'control character', 'line'],
  [0x0d, 0x0d, 'CARRIAGE RETURN', 'line'],
  [0x0e, 0x1a, 'control character'],
  [0x1b, 0x1b, 'ESCAPE'],
  [0x1c, 0x1f, 'control character'],
  [0x7f, 0x7f, 'DELETE'],
  [0x80, 0x84, 'control character'],
  [0x85, 0x85, 'NEXT LINE'],
  [0x86, 0x9a, 'control character'],
  [0x9b, 0x9b, 'CONTROL SEQUENCE INTRODUCER'],
  [0x9c, 0x9f, 'control character'],
  [0xad, 0xad, 'SOFT HYPHEN'],
  [0x34f, 0x34f, 'COMBINING GRAPHEME JOINER'],
  [0x600, 0x605, 'invisible character', 'visible'],
  [0x61c, 0x61c, 'ARABIC LETTER MARK'],
  [0x6dd, 0x6dd, 'invisible character', 'visible'],
  [0x70f, 0x70f, 'invisible character', 'visible'],
  [0x890, 0x891, 'invisible character', 'visible'],
  [0x8e2, 0x8e2, 'invisible character', 'visible'],
  [0x115f, 0x1160, 'HANGUL FILLER'],
  [0x17b4, 0x17b5, 'KHMER INHERENT VOWEL'],
  [0x180b, 0x180f, 'MONGOLIAN FORMAT CHARACTER'],
  [0x200b, 0x200b, 'ZERO WIDTH SPACE'],
  [0x200c, 0x200c, 'ZERO WIDTH NON-JOINER'],
  [0x200d, 0x200d, 'ZERO WIDTH JOINER'],
  [0x200e, 0x200e, 'LEFT-TO-RIGHT MARK'],
  [0x200f, 0x200f, 'RIGHT-TO-LEFT MARK'],
  [0x2028, 0x2028, 'LINE SEPARATOR', 'line'],
  [0x2029, 0x2029, 'PARAGRAPH SEPARATOR', 'line'],
  [0x202a, 0x202a, 'LEFT-TO-RIGHT EMBEDDING'],
  [0x202b, 0x202b, 'RIGHT-TO-LEFT EMBEDDING'],
  [0x202c, 0x202c, 'POP DIRECTIONAL FORMATTING'],
  [0x202d, 0x202d, 'LEFT-TO-RIGHT OVERRIDE'],
  [0x202e, 0x202e, 'RIGHT-TO-LEFT OVERRIDE'],
  [0x2060, 0x2060, 'WORD JOINER'],
  [0x2061, 0x2064, 'INVISIBLE OPERATOR'],
  [0x2065, 0x2065, 'invisible character'],
  [0x2066, 0x2066, 'LEFT-TO-RIGHT ISOLATE'],
  [0x2067, 0x2067, 'RIGHT-TO-LEFT ISOLATE'],
  [0x2068, 0x2068, 'FIRST STRONG ISOLATE'],
  [0x2069, 0x2069, 'POP DIRECTIONAL ISOLATE'],
  [0x206a, 0x206f, 'deprecated format character'],
  [0x2800, 0x2800, 'BRAILLE PATTERN BLANK', 'visible'],
  [0x3164, 0x3164, 'HANGUL FILLER'],
  [0xe000, 0xf8ff, 'private use character', 'private'],
  [0xfdd0, 0xfdef, 'noncharacter', 'private'],
  [0xfe00, 0xfe0f, 'VARIATION SELECTOR'],
  [0xfeff, 0xfeff, 'ZERO WIDTH NO-BREAK SPACE'],
  [0xffa0, 0xffa0, 'HALFWIDTH HANGUL FILLER'],
  [0xfff0, 0xfff8, 'invisible character'],
  [0xfff9, 0xfffb, 'INTERLINEAR ANNOTATION'],
  [0xfffe, 0xffff, 'noncharacter', 'private'],
  [0x110bd, 0x110bd, 'KAITHI NUMBER SIGN', 'visible'],
  [0x110cd, 0x110cd, 'KAITHI NUMBER SIGN ABOVE', 'visible'],
  [0x13430, 0x1343f, 'invisible character', 'visible'],
  [0x1bca0, 0x1bca3, 'invisible character'],
  [0x1d173, 0x1d17a, 'MUSICAL FORMAT CHARACTER'],
  ...planeEnds,
  [0xe0000, 0xe007f, 'TAG CHARACTER'],
  [0xe0080, 0xe00ff, 'invisible character'],
  [0xe0100, 0xe01ef, 'VARIATION SELECTOR SUPPLEMENT'],
  [0xe01f0, 0xe0fff, 'invisible character'],
  [0xefffe, 0xeffff, 'noncharacter', 'private'],
  [0xf0000, 0xfffff, 'private use character', 'private'],
  [0x100000, 0x10ffff, 'private use character', 'private'],
]
