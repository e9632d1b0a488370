import { commandNames } from './command-names.ts'

const emptyQuotes = /(?<=[a-zA-Z])(?:''|""|\\(?=[a-zA-Z]))(?=[a-zA-Z])/g
const quoted = /(['"])([a-zA-Z0-9]{1,8})\1/g
const tag =
  '(?:<!--[^<>]{0,40}-->|</?(?:a|b|big|bdi|bdo|code|del|em|font|i|ins|kbd|mark|s|samp|small|span|strong|sub|sup|tt|u|var|wbr)(?:\\s[^<>\\n]{0,80})?/?>)'
const tags = new RegExp(tag, 'gi')
const partedByTags = new RegExp(`(?<=[a-zA-Z])(?:${tag}{1,4}[a-zA-Z]+)+`, 'gi')

/**
 * A text without the quotes, backslashes and tags that part a word and change nothing for its reader. It
 * keeps its number of lines.
 */
export function wholeWords(text: string): string {
  let plain = text
  if (plain.includes('<')) plain = withoutTags(plain)
  if (/''|""|\\[a-zA-Z]/.test(plain)) plain = plain.replace(emptyQuotes, '')
  if (/[a-zA-Z]['"][a-zA-Z0-9]|[a-zA-Z0-9]['"][a-zA-Z]/.test(plain)) {
    plain = plain.replace(quoted, unquoted)
  }
  return plain
}

/** What a tag or comment within a word holds of line ends follows at the end of the line. */
function withoutTags(text: string): string {
  let plain = ''
  let from = 0
  let owed = 0
  for (const { 0: parted, index } of text.matchAll(partedByTags)) {
    add(text.slice(from, index))
    plain += parted.replace(tags, '')
    owed += parted.split('\n').length - 1
    from = index + parted.length
  }
  if (from === 0) return text
  add(text.slice(from))
  return plain + '\n'.repeat(owed)

  function add(between: string): void {
    const lineEnd = owed > 0 ? between.indexOf('\n') : -1
    if (lineEnd === -1) plain += between
    else {
      plain += between.slice(0, lineEnd) + '\n'.repeat(owed) + between.slice(lineEnd)
      owed = 0
    }
  }
}

/** `s'h'` is `sh` to a shell; other words keep their quotes, for most of them are prose or code. */
function unquoted(whole: string, _: string, inner: string, at: number, text: string): string {
  const before = /[\w'"]{0,10}$/.exec(text.slice(Math.max(0, at - 10), at))?.[0] ?? ''
  const end = at + whole.length
  const after = /^[\w'"]{0,10}/.exec(text.slice(end, end + 10))?.[0] ?? ''
  if (before === '' && after === '') return whole
  const word = (before + inner + after).replace(/['"]/g, '').toLowerCase()
  return commandNames.has(word) ? inner : whole
}
