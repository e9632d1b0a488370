const n = 100_000
/** Readmes designed to be slow to render, by the construct they repeat. */
export const hostileReadmes: Readonly<Record<string, string>> = {
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
