/** What skills are made of, by the endings of their files. */
const endings = {
  bash: 'sh bash zsh',
  css: 'css',
  go: 'go',
  javascript: 'js mjs cjs jsx',
  json: 'json jsonl',
  markdown: 'md markdown',
  python: 'py',
  ruby: 'rb',
  sql: 'sql',
  typescript: 'ts mts cts tsx',
  xml: 'xml html htm svg',
  yaml: 'yaml yml',
} as const

export type Language = keyof typeof endings

const byEnding = new Map(
  (Object.keys(endings) as Language[]).flatMap((language) =>
    endings[language].split(' ').map((ending) => [ending, language] as const),
  ),
)

/** The language of a file by the ending of its name; undefined where it is not known. */
export function languageOf(path: string): Language | undefined {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase()
  return ending === undefined ? undefined : byEnding.get(ending)
}
