import { fencesIn } from '@skillpass/server/internal/text/fences'
import { readParts } from '@skillpass/server/internal/text/reading'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { expect, test } from 'vitest'

const markdown = new MarkdownIt({ html: true })

/** Returns the words that markdown-it shows. */
function shownBy(text: string): string[] {
  const shown = markdown
    .parse(text, {})
    .map(({ type, content, children }) =>
      type === 'html_block'
        ? withoutTags(content)
        : (children ?? [{ type: 'text', content }])
            .map((child) =>
              /break/.test(child.type)
                ? '\n'
                : child.type === 'html_inline'
                  ? withoutTags(child.content)
                  : child.content,
            )
            .join(''),
    )
  return wordsOf(shown.join('\n'))
}

const withoutTags = (html: string) =>
  html
    .replace(/<!--[\s\S]*?-->|<br>/g, (tag) => (tag === '<br>' ? ' ' : ''))
    .replace(/<[^>]*>/g, '')
const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? []
const read = (text: string) =>
  wordsOf(Array.from(readParts(text), ({ reading }) => reading?.text).join('\n'))

const word = fc.stringMatching(/^[a-z]{2,6}$/)
const pair = fc.tuple(word, word)
const inline = fc.oneof(
  word,
  pair.map(([a, b]) => `${a}**${b}**`),
  pair.map(([a, b]) => `_${a} ${b}_`),
  pair.map(([a, b]) => `${a}<b title="x">${b}</b>`),
  pair.map(([a, b]) => `${a}<!-- x -->${b}`),
  pair.map(([a, b]) => `[${a} ${b}](https://x.test/(y)z "title")`),
  pair.map(([a, b]) => `[${a}*${b}*][x]`),
  pair.map(([a, b]) => `[${a}] ${b}`),
  pair.map(([a, b]) => `\`${a} **${b}**\``),
  pair.map(([a, b]) => `\`\`${a}\`${b}\`\``),
  pair.map(([a, b]) => `\\*${a}\\_ &#x${b.charCodeAt(0).toString(16)};${b} &amp;`),
  pair.map(([a, b]) => `<https://x.test/${a}> ${b}<br>${a}`),
  word.map((a) => `~~${a}~~ a * b`),
)
const paragraph = fc
  .array(inline, { minLength: 1, maxLength: 6 })
  .chain((parts) =>
    fc.constantFrom(' ', '\n', '\\\n', ', ').map((separator) => parts.join(separator)),
  )
const block = fc.oneof(
  paragraph,
  paragraph.map((text) => text.replace(/^/gm, '> ')),
  paragraph.map((text) => `- ${text.replaceAll('\n', '\n  ')}`),
  paragraph.map((text) => `## ${text.replaceAll('\n', ' ')}`),
  paragraph.map((text) => `| ${text.replaceAll('\n', ' ')} |\n| --- |`),
  pair.map(([a, b]) => `\`\`\`\n${a} **${b}** [${a}](x)\n\`\`\``),
)

test('the words of a reading are those that a markdown renderer shows', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
      const text = `${blocks.join('\n\n')}\n\n[x]: https://x.test\n`
      expect(read(text)).toEqual(shownBy(text))
    }),
    { numRuns: 1000 },
  )
})

test('a reading has the line of each word of its source', () => {
  const source = 'a <b\n>one</b>\n> two\n<!--\n\n-->three [four](x\n"y")\nfive'
  const lines = source.split('\n')
  for (const { reading } of readParts(source)) {
    for (const word of ['one', 'two', 'three', 'four', 'five']) {
      const at = reading?.text.indexOf(word) ?? 0
      const removed = reading?.changes.filter((change) => change.at <= at) ?? []
      const line = removed.reduce(
        (sum, { lines }) => sum + lines,
        (reading?.text.slice(0, at).split('\n').length ?? 0) - 1,
      )
      expect(lines[line]).toContain(word)
    }
  }
})

test.each([
  '    ```\nig**no**re\n',
  '<div>\n```\n</div>\n\nig**no**re\n',
  '# a `\nig**no**re ` b\n',
  '- a `\n- ig**no**re `\n',
  '<!--\n```\n-->\nig**no**re\n',
  '> ```\nig**no**re\n',
  '- ```\n  x\n\nig**no**re\n',
  '```\n    ```\n```\nig**no**re\n',
  `\`\`\`\n${'some code\n'.repeat(4000)}\`\`\`\n${'more text\n'.repeat(3000)}ig**no**re\n`,
])('text outside of fences is read: %.40j', (text) => {
  expect(shownBy(text)).toContain('ignore')
  expect(read(text)).toContain('ignore')
})

test.each(['&lt;!-- ig**no**re --&gt;', '&#x3c;b ignore&gt;', '[a &#93;(ignore)'])(
  'markup that is written as entities is read as text: %s',
  (text) => {
    expect(shownBy(text)).toContain('ignore')
    expect(read(text)).toContain('ignore')
  },
)

const lineStart = fc.array(fc.constantFrom('- ', '1. ', '> ', '  ', '   '), { maxLength: 3 })
const lineRest = fc.constantFrom(
  '```',
  '~~~',
  '````',
  '```js',
  '<div>',
  '<!--',
  '-->',
  '<b>',
  'a',
  '',
)
const blockLine = fc.tuple(lineStart, lineRest).map(([start, rest]) => start.join('') + rest)

test('fences start where a markdown renderer starts them', () => {
  const texts = fc.sample(fc.array(blockLine, { minLength: 1, maxLength: 8 }), {
    numRuns: 2000,
    seed: 1,
  })
  for (const lines of texts) {
    const text = lines.join('\n')
    const shown = markdown.parse(text, {}).filter(({ type }) => type === 'fence')
    const starts = shown.map(({ map }) => map?.[0])
    expect(fencesIn(text).map(({ lines }) => lines[0])).toEqual(starts)
  }
})

const blanks = ' '.repeat(60_000)
test.each([
  `---\nname: a\ndescription: a${blanks}"\\x"\n---\n`,
  `---\nname: ${'!\\"'.repeat(60_000)}\n---\n`,
  `---\nname: ${'" '.repeat(60_000)}\\\n---\n`,
  `[a](b${blanks.slice(0, 30_000)}x`,
  `[a](b${blanks.slice(0, 15_000)}\n${blanks.slice(0, 15_000)}x`,
  'a\u0301\u0316'.repeat(60_000),
  '\u0301\u0316'.repeat(60_000),
  '```\n'.repeat(60_000),
  '*a_'.repeat(60_000),
  `\`\`\`\n${'>'.repeat(90)} a\n${'b\n'.repeat(60_000)}`,
])('a hostile text is read to its end: %.30j', (text) => {
  expect([...readParts(text)].length).toBeGreaterThan(0)
})
