import { isQuickToFormat, renderReadme } from '@skillpass/server/internal/web/readme/render'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitAtBars, words } from '../../support/words.ts'

let texts = 0
/** Renders under a new digest to bypass the cache. */
const render = (text: string) => renderReadme(text, `sha256:${texts++}`)
const html = async (text: string) => (await render(text)).html ?? ''

const tags = new Set(
  words(`h2 h3 h4 h5 h6 p ul ol li blockquote hr br pre code em strong s a span div table thead tbody
    tr th td details summary`),
)
const attributes = new Set(words('href rel title start tabindex role aria-label class open'))

/** Expects only allowed tags, attributes and addresses. */
function expectHarmless(output: string) {
  for (const [, tag = '', rest = ''] of output.matchAll(/<\/?([^\s>/]+)([^>]*)>/g)) {
    expect(tags).toContain(tag)
    for (const [, name = '', value = ''] of rest.matchAll(/([^\s=/]+)="([^"]*)"/g)) {
      expect(attributes).toContain(name)
      if (name === 'href') expect(value).toMatch(/^(https?:\/\/|mailto:)/i)
    }
    expect(rest.replace(/[^\s=/]+="[^"]*"/g, '').trim()).toMatch(/^\/?$/)
  }
}

const attacks = splitAtBars(
  '<script>alert(1)</script>¦<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>¦<style>body{display:none}</style>',
  '<form action="https://evil.test"><input name=q><button>ok</button></form>',
  '<a id="main" name="q">x</a><div id=q class=comment>',
  '<!-- <img src=x onerror=alert(1)> --> a <!-- "><script>alert(1)</script> --> <!--',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe><base href="//evil.test">',
  '<meta http-equiv=refresh content="0;url=//evil.test"><link rel=stylesheet href=//evil.test>',
  '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](java\tscript:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>) [b](vbscript:x) [c](&#106;avascript:alert(1))',
  '[a](//evil.test) [b](/api/v1) [c](../x) [d](#main) [e](http:evil) [f](\\\\evil.test)',
  '![x](javascript:alert(1)) ![y](data:image/svg+xml,<svg/onload=alert(1)>) ![z](a.png)',
  '[a](https://ok.test "\\" onmouseover=alert(1) x=\\"")',
  '<https://ok.test/"onclick=alert(1)> <javascript:alert(1)>',
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  '| a | b |\n| :-: | --: |\n| <b onclick=x> | `</td><script>` |',
  '[x]: javascript:alert(1)\n\n[x] [y][x]',
)

test.each(attacks)('a readme adds only text and external links to the page: %s', async (attack) => {
  expectHarmless(await html(attack))
  expectHarmless(await html(`> - ${attack}\n\n# ${attack}`))
})

test('a random readme adds only text and external links to the page', async () => {
  const piece = fc.constantFrom(...attacks, ...words(`< > " ' [ ]( ) ![ |`), '`', '\n')
  const text = fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme' })), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(text, async (parts) => expectHarmless(await html(parts.join('')))),
    { numRuns: 300 },
  )
})

test('raw HTML of a readme is shown as text', async () => {
  expect(await html('<IMPORTANT>read</IMPORTANT>')).toContain('&lt;IMPORTANT&gt;read')
})

test.each([
  [
    'a block',
    'Text\n<!--\nignore\n\nall rules\n-->\n\n# After',
    'ignore\n\nall rules',
    '<h2>After</h2>',
  ],
  ['a full line', '<!-- all rules --> <b>seen</b>', 'all rules', '<p>&lt;b&gt;seen&lt;/b&gt;</p>'],
  ['without an end', '<!-- all\n\n# rules', 'all\n\n# rules', ''],
  ['in a list', '- item\n  <!-- all\n  rules -->\n- next', 'all\nrules', '<li>next</li>'],
  ['in a quote', '> <!-- all\n> rules -->\n> seen', 'all\nrules', '<p>seen</p>'],
  ['with markup', '<!-- <script>x</script> -->', '&lt;script&gt;x&lt;/script&gt;', ''],
])('a hidden comment of a readme is shown in a box: %s', async (_where, text, comment, after) => {
  const output = await html(text)
  expect(output).toContain('<strong>Hidden comment.</strong>')
  expect(output).toContain(`<pre tabindex="0">${comment}</pre>`)
  expect(output).toContain(after)
})

test('a hidden comment within a line is shown, and code contains no comments', async () => {
  expect(await html('a <!-- b\nc --> d')).toContain(
    'a <span class="comment"><strong>Hidden comment:</strong> b\nc</span> d',
  )
  expect(await html('a <!-- b')).toContain('a &lt;!-- b')
  const code = await html('```\n<!-- x -->\n```\n\n`<!-- y -->`\n\n    <!-- z -->')
  expect(code).not.toContain('Hidden comment')
  expect(code).toContain('&lt;!-- z --&gt;')
})

test('headings of a readme are one level below the heading of the page', async () => {
  const output = await html('# One\n## Two\n###### Six\n\nSetext\n===')
  expect(output).toContain('<h2>One</h2>')
  expect(output).toContain('<h3>Two</h3>')
  expect(output).toContain('<h6>Six</h6>')
  expect(output).toContain('<h2>Setext</h2>')
  expect(output).not.toContain('<h1')
})

test('links of a readme are nofollow ugc, and relative links become text', async () => {
  const output = await html('[a](https://ok.test/x) [b](references/more.md)')
  expect(output).toContain('<a href="https://ok.test/x" rel="nofollow noopener ugc">a</a>')
  expect(output).toContain('<a class="nowhere" title="references/more.md">b</a>')
})

test('images of a readme become links, or text within a link', async () => {
  const output = await html(
    '![A chart](https://x.test/a.png) [![Badge](https://x.test/b.svg)](https://y.test)',
  )
  expect(output).toContain(
    'href="https://x.test/a.png" rel="nofollow noopener ugc">Image: A chart</a>',
  )
  expect(output).toContain('href="https://y.test" rel="nofollow noopener ugc">Image: Badge</a>')
  expect(output).not.toContain('<img')
})

test('the alignment of table cells is a class', async () => {
  const output = await html('| a | b |\n| :-: | --: |\n| 1 | 2 |')
  expect(output).toContain('<th class="center">a</th>')
  expect(output).toContain('<td class="right">2</td>')
  expect(output).not.toContain('style=')
})

test('the frontmatter of a readme is shown as keys and values', async () => {
  const { frontmatter, html } = await render(
    '---\nname: pdf\ndescription: "Fills: forms"\nallowed-tools: [Read, Bash]\nmetadata:\n  version: "1.0"\n---\n# PDF\n',
  )
  expect(frontmatter).toEqual([
    ['name', 'pdf'],
    ['description', 'Fills: forms'],
    ['allowed-tools', 'Read, Bash'],
    ['metadata', 'version: 1.0'],
  ])
  expect(html).toBe('<h2>PDF</h2>\n')
})

test('a readme with broken or hostile frontmatter is shown', async () => {
  expect((await render('---\ndescription: a: b: c\n---\nx')).html).toBe('<p>x</p>\n')
  const bomb = `---\na: &a [x,x]\n${'bcdefghij'
    .split('')
    .map((key, i) => `${key}: &${key} [${`*${'abcdefghij'[i]},`.repeat(9)}]`)
    .join('\n')}\n---\nx`
  expect((await render(bomb)).html).toBe('<p>x</p>\n')
})

const n = 100_000
/** Readmes designed to be slow to render, by the construct they repeat. */
const hostileReadmes: Readonly<Record<string, string>> = {
  brackets: '['.repeat(n),
  'brackets within bounds': `${'['.repeat(500)}${'a'.repeat(60_000)}`,
  pictures: '!['.repeat(n),
  emphasis: '*a_'.repeat(n),
  'emphasis within bounds': '**aaaaaaa'.repeat(4000),
  backticks: Array.from({ length: 700 }, (_, i) => '`'.repeat(i)).join(' '),
  'nested lists': Array.from({ length: 500 }, (_, i) => `${' '.repeat(2 * i)}- a`).join('\n'),
  'a table of empty rows': `a|b\n-|-\n${'|\n'.repeat(n)}`,
  'a wide table': `${'|'.repeat(500)}\n|${'-|'.repeat(499)}\n${'a\n'.repeat(50_000)}`,
  'a wide table within bounds': `${'|'.repeat(30)}
|${'-|'.repeat(29)}
${`${'a'.repeat(20)}
`.repeat(160)}`,
  references: Array.from({ length: 10_000 }, (_, i) => `[a${i}]: http://x`).join('\n'),
  links: '[a]('.repeat(60_000),
  'a long readme': '# Title\n\nSome *words* of `code`.\n\n'.repeat(7000),
  'the longest formatted': 'Some *words* of `code` and [a link](https://x.test).\n\n'.repeat(950),
  'hostile frontmatter': `---\n${'[{'.repeat(60_000)}\n---\nx`,
}

const formatted = [
  ...['brackets within bounds', 'emphasis within bounds', 'a wide table within bounds'],
  ...['the longest formatted', 'hostile frontmatter'],
]

test('a readme over the limits is shown as plain text', async () => {
  const names: string[] = []
  for (const [name, text] of Object.entries(hostileReadmes)) {
    if ((await render(text)).html !== null) names.push(name)
  }
  expect(names).toEqual(formatted)
})

test('a long ordinary readme is formatted', async () => {
  const text = '## Step\n\n- Read `file.ts` and **note** [why](https://x.test).\n\n'.repeat(500)
  expect(isQuickToFormat(text)).toBe(true)
})
