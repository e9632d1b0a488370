const bold = (word: string) => `${word.slice(0, 2)}**${word.slice(2)}**`
const within = (sign: string) => (word: string) => word.slice(0, 2) + sign + word.slice(2)
const around = (before: string, after: string) => (word: string) => before + word + after
const lettersFrom = (first: number) => (word: string) =>
  word.replace(/[a-z]/g, (letter) => String.fromCodePoint(first + letter.charCodeAt(0) - 97))
const capitals = new Map(
  'aᴀbʙcᴄdᴅeᴇgɢhʜiɪjᴊkᴋlʟmᴍnɴoᴏpᴘrʀsꜱtᴛuᴜvᴠwᴡyʏzᴢ'
    .match(/../g)
    ?.map((pair) => [pair.charAt(0), pair.charAt(1)]),
)
const address = `https://x.test/${'a'.repeat(100)}`

/** Ways to write a word so that a page shows it as before. */
export const disguises: Readonly<Record<string, (word: string) => string>> = {
  'bold letters': bold,
  'emphasis with underscores': around('_', '_'),
  'strong emphasis in emphasis': around('***', '***'),
  'deleted text': around('~~', '~~'),
  'a link with a long address': around('[', `](${address})`),
  'a link with parentheses and a title': around('[', '](https://x.test/(a(b)) "a title")'),
  'a reference link': around('[', '][disguise]'),
  'a collapsed reference link': (word) => `[${word}][]`,
  'an image': around('![', '](x.png)'),
  'a footnote': around('', '[^1]'),
  'an empty tag': within('<b></b>'),
  'a tag with a long attribute': around(`<span title="a > b ${'c'.repeat(100)}">`, '</span>'),
  'an instruction': within('<?a?>'),
  'an empty comment': within('<!---->'),
  'a long comment': within(`<!-- ${'a comment '.repeat(3)}-->`),
  'a named entity': within('&shy;'),
  'numeric entities': (word) => `&#x${word.charCodeAt(0).toString(16)};${word.slice(1)}`,
  'a zero-width space': within('\u200b'),
  'combining marks': within('\u0336\u0489\u0301'),
  'full-width letters': lettersFrom(0xff41),
  'mathematical letters': lettersFrom(0x1d41a),
  'circled letters': lettersFrom(0x24d0),
  'negative squared letters': lettersFrom(0x1f170),
  'small capitals': (word) => word.replace(/[a-z]/g, (letter) => capitals.get(letter) ?? letter),
  'Cyrillic letters': (word) =>
    word.replace(/[aeo]/g, (letter) => 'аео'.charAt('aeo'.indexOf(letter))),
}

/** Writes the words of a text in another way. `every` picks one word of so many. */
export function disguise(text: string, dress: (word: string) => string, every = 1): string {
  let count = 0
  const labels = new Set<string>()
  const dressed = text.replace(/[a-z]{3,}/g, (word) => {
    if (++count % every > 0) return word
    labels.add(word)
    return dress(word)
  })
  const definitions = dressed.includes('][')
    ? ['disguise', ...labels].map((label) => `[${label}]: https://x.test`).join('\n')
    : ''
  return `${dressed}\n\n${definitions}\n`
}
