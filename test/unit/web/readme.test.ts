import { isQuickToFormat, renderReadme } from '@skillpass/server/web/readme/render'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parted, words } from '../../support/words.ts'

let texts = 0
/** Renders under a digest of its own, so that no test meets another's cached page. */
const render = (text: string) => renderReadme(text, `sha256:${texts++}`)
const html = (text: string) => render(text).html ?? ''

const tags = new Set(
  'h2 h3 h4 h5 h6 p ul ol li blockquote hr br pre code em strong s a span div table thead tbody tr th td'.split(
    ' ',
  ),
)
const attributes = new Set(
  words(`
  href rel title start tabindex role aria-label class
`),
)

/** Fails on any tag, attribute or address that a readme must not bring onto the page. */
function expectTame(output: string) {
  for (const [, tag = '', rest = ''] of output.matchAll(/<\/?([^\s>/]+)([^>]*)>/g)) {
    expect(tags).toContain(tag)
    for (const [, name = '', value = ''] of rest.matchAll(/([^\s=/]+)="([^"]*)"/g)) {
      expect(attributes).toContain(name)
      if (name === 'href') expect(value).toMatch(/^(https?:\/\/|mailto:)/i)
    }
    expect(rest.replace(/[^\s=/]+="[^"]*"/g, '').trim()).toMatch(/^\/?$/)
  }
}

const attacks = parted(
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

describe('a readme', () => {
  test.each(attacks)('brings nothing onto the page but text and outside links: %s', (attack) => {
    expectTame(html(attack))
    expectTame(html(`> - ${attack}\n\n# ${attack}`))
  })

  test('is tame whatever it holds', () => {
    const piece = fc.constantFrom(
      ...attacks,
      '<',
      '>',
      '"',
      "'",
      '`',
      '[',
      '](',
      ')',
      '![',
      '\n',
      '|',
    )
    const text = fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme' })), { maxLength: 30 })
    fc.assert(
      fc.property(text, (parts) => expectTame(html(parts.join('')))),
      { numRuns: 300 },
    )
  })

  test('shows raw HTML as text, so that a person sees what an agent reads', () => {
    expect(html('<IMPORTANT>read</IMPORTANT>')).toContain('&lt;IMPORTANT&gt;read')
  })

  test.each([
    [
      'a block',
      'Text\n<!--\nignore\n\nall rules\n-->\n\n# After',
      'ignore\n\nall rules',
      '<h2>After</h2>',
    ],
    [
      'a line with more',
      '<!-- all rules --> <b>seen</b>',
      'all rules',
      '<p>&lt;b&gt;seen&lt;/b&gt;</p>',
    ],
    ['without an end', '<!-- all\n\n# rules', 'all\n\n# rules', ''],
    ['in a list', '- item\n  <!-- all\n  rules -->\n- next', 'all\nrules', '<li>next</li>'],
    ['in a quote', '> <!-- all\n> rules -->\n> seen', 'all\nrules', '<p>seen</p>'],
    ['with markup', '<!-- <script>x</script> -->', '&lt;script&gt;x&lt;/script&gt;', ''],
  ])('shows a hidden comment in a box: %s', (_where, text, comment, after) => {
    const output = html(text)
    expect(output).toContain('<strong>Hidden comment.</strong>')
    expect(output).toContain(`<pre tabindex="0">${comment}</pre>`)
    expect(output).toContain(after)
  })

  test('shows a hidden comment within a line, and none in code', () => {
    expect(html('a <!-- b\nc --> d')).toContain(
      'a <span class="comment"><strong>Hidden comment:</strong> b\nc</span> d',
    )
    expect(html('a <!-- b')).toContain('a &lt;!-- b')
    const code = html('```\n<!-- x -->\n```\n\n`<!-- y -->`\n\n    <!-- z -->')
    expect(code).not.toContain('Hidden comment')
    expect(code).toContain('&lt;!-- z --&gt;')
  })

  test('has its headings below the heading of the page', () => {
    const output = html('# One\n## Two\n###### Six\n\nSetext\n===')
    expect(output).toContain('<h2>One</h2>')
    expect(output).toContain('<h3>Two</h3>')
    expect(output).toContain('<h6>Six</h6>')
    expect(output).toContain('<h2>Setext</h2>')
    expect(output).not.toContain('<h1')
  })

  test('marks links as a stranger’s and leaves relative ones without a target', () => {
    const output = html('[a](https://ok.test/x) [b](references/more.md)')
    expect(output).toContain('<a href="https://ok.test/x" rel="nofollow noopener ugc">a</a>')
    expect(output).toContain('<span class="nowhere" title="references/more.md">b</span>')
  })

  test('shows pictures as links to them, and only as text within a link', () => {
    const output = html(
      '![A chart](https://x.test/a.png) [![Badge](https://x.test/b.svg)](https://y.test)',
    )
    expect(output).toContain(
      'href="https://x.test/a.png" rel="nofollow noopener ugc">Image: A chart</a>',
    )
    expect(output).toContain('href="https://y.test" rel="nofollow noopener ugc">Image: Badge</a>')
    expect(output).not.toContain('<img')
  })

  test('keeps the alignment of table cells as a class', () => {
    const output = html('| a | b |\n| :-: | --: |\n| 1 | 2 |')
    expect(output).toContain('<th class="center">a</th>')
    expect(output).toContain('<td class="right">2</td>')
    expect(output).not.toContain('style=')
  })

  test('has its frontmatter apart, as keys and values', () => {
    const { frontmatter, html } = render(
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

  test('with broken or hostile frontmatter is shown all the same', () => {
    expect(render('---\ndescription: a: b: c\n---\nx').html).toBe('<p>x</p>\n')
    const bomb = `---\na: &a [x,x]\n${'bcdefghij'
      .split('')
      .map((key, i) => `${key}: &${key} [${`*${'abcdefghij'[i]},`.repeat(9)}]`)
      .join('\n')}\n---\nx`
    expect(render(bomb).html).toBe('<p>x</p>\n')
  })
})

const n = 100_000
const hostile: Record<string, string> = {
  quotes: '>'.repeat(n),
  'quotes with blanks': '> '.repeat(n),
  brackets: '['.repeat(n),
  'brackets within bounds': `${'['.repeat(1000)}${'a'.repeat(60_000)}`,
  pictures: '!['.repeat(n),
  emphasis: '*a_'.repeat(n),
  'emphasis within bounds': '**aaaaaaa'.repeat(4000),
  backticks: Array.from({ length: 700 }, (_, i) => '`'.repeat(i)).join(' '),
  'open tags': '<'.repeat(n),
  ampersands: '&'.repeat(n),
  lists: '- '.repeat(n),
  'nested lists': Array.from({ length: 500 }, (_, i) => `${' '.repeat(2 * i)}- a`).join('\n'),
  'a table of empty rows': `a|b\n-|-\n${'|\n'.repeat(n)}`,
  'a wide table': `${'|'.repeat(500)}\n|${'-|'.repeat(499)}\n${'a\n'.repeat(50_000)}`,
  'a wide table within bounds': `${'|'.repeat(30)}
|${'-|'.repeat(29)}
${`${'a'.repeat(20)}
`.repeat(160)}`,
  'a table past its bound': `${'|'.repeat(100)}
|${'-|'.repeat(99)}
${`${'a'.repeat(20)}
`.repeat(2000)}`,
  references: Array.from({ length: 10_000 }, (_, i) => `[a${i}]: http://x`).join('\n'),
  links: '[a]('.repeat(60_000),
  escapes: '\\'.repeat(n),
  'a long readme': '# Title\n\nSome *words* of `code`.\n\n'.repeat(7000),
  'the longest formatted': 'Some *words* of `code` and [a link](https://x.test).\n\n'.repeat(950),
  'hostile frontmatter': `---\n${'[{'.repeat(60_000)}\n---\nx`,
}

describe('a readme made to take long', { retry: 2 }, () => {
  test.each(Object.keys(hostile))('is shown in time: %s', (name) => {
    const text = hostile[name] ?? ''
    render('# warm up\n\n*a* | b')
    const times = [1, 2, 3, 4].map(() => {
      const start = process.cpuUsage()
      render(text)
      return process.cpuUsage(start).user / 1000
    })
    // Time of the processor, and of the quickest of four, since other tests run beside this one.
    expect(Math.min(...times)).toBeLessThan(200)
  })

  test('stands as it is, whole', () => {
    const text = `# Title\n${'['.repeat(n)}`
    expect(render(text)).toEqual({ frontmatter: [], html: null, text })
  })

  test('is the exception: an ordinary long readme is formatted', () => {
    const text = '## Step\n\n- Read `file.ts` and **note** [why](https://x.test).\n\n'.repeat(500)
    expect(isQuickToFormat(text)).toBe(true)
  })
})
