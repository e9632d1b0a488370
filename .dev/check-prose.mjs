/**
 * Finds vague wording in comments, test titles, messages and Markdown of the tracked files, and
 * long test titles. Prints each place with advice, and exits with 1 if there is one. `npm run
 * check` runs it. Arguments limit it to files or folders.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Wording to avoid, with advice. */
const rules = [
  [/\b(?:is|are|was|were|be|been) told\b/i, 'say who receives or sees what'],
  [/\bstands? (?:as|at|behind|by|for|in(?! for)|on|there|under)\b/i, 'write "is"'],
  [/\bof (?:its|their|his|her|our|your) own\b/i, 'write "its own …" or "a separate …"'],
  [/\b(?:when|where) there (?:is|are) none\b/i, 'write "if there is no …" or "without …"'],
  [/(?:^|[.:;] )(?:What|Who|Whoever|Whatever) (?:is|are|was|has|have)\b(?!.*\?)/, 'name the thing'],
  [/\b(?:by|for|from|in|of|on|than|to|with) what (?:is|are|was|it|they|the)\b/i, 'name the thing'],
  [/\b(?:asks|waits|looks) for (?:what|whom|whoever|whatever)\b/i, 'name the thing'],
  [/\bshall\b/i, 'write "must", "will" or the present tense'],
  [
    /\b(?:becomes?|comes?|knows?|says?|speaks?|tells?) of\b/i,
    'write "results from" or "describes"',
  ],
  [/\bgives (?:up|back|how|null|nothing|true|false|undefined)\b/i, 'write "returns" or "stops"'],
  [/\b(?:goes|leads?|works?) on\b(?! (?:the|an?|any|every|each|all|both)\b)/, 'write "continues"'],
  [/\bto be had\b|\bat leisure\b|\bto the letter\b|\bcomes to nothing\b/i, 'say it plainly'],
  [/\bthe one (?:before|after|behind)\b/i, 'write "the previous …" or "the next …"'],
  [/(?<!(?:thing|one|body|where|what) )\belse[.;]/i, 'write "otherwise"'],
  [/\bsee the (?:schema|type|function|route) of the same name\b/i, 'delete the comment'],
  [/^(?:Such|Likewise)\b/, 'name the subject'],
]

/** Returns the parts of a line that people read. */
function proseOf(line, isMarkdown, isTest) {
  if (isMarkdown) return [line.replace(/`[^`]*`/g, '`x`').replace(/^[\s>|*#-]+/, '')]
  const comment = /^\s*(?:\/\/|\/?\*+)\s?(.*?)(?:\*\/)?\s*$/.exec(line)
  if (comment) return [comment[1]]
  const title = isTest ? /\b(?:test|describe|it)\b.*?(['"`])(.*?)\1/.exec(line)?.[2] : undefined
  const fields = /(?:description|help|label|message|summary|text|title)\s*[:=(]\s*(['"`])(.*?)\1/g
  const named = [...line.matchAll(fields)].map(([, , text]) => text)
  const elements = [...line.matchAll(/>([^<>{}]{12,})</g)].map(([, text]) => text)
  return [...(title ? [title] : []), ...named, ...elements]
}

function findingsIn(path) {
  const isMarkdown = path.endsWith('.md')
  let isCode = false
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, index) => {
    const isFence = isMarkdown && /^\s*(?:```|~~~)/.test(line)
    if (isFence) isCode = !isCode
    if (isFence || isCode) return []
    return proseOf(line, isMarkdown, /\.test\.tsx?$/.test(path)).flatMap((prose) =>
      rules.flatMap(([pattern, advice]) => {
        const found = pattern.exec(prose.trim())
        return found ? [`${path}:${index + 1}: "${found[0].trim()}": ${advice}`] : []
      }),
    )
  })
}

/** Maximum length of a test title, in characters. */
const maxTitle = 100

/** A call of `test`, `describe` or the function that `each` returns, up to the end of its title. */
const titled =
  /(?:\b(?:test|describe|it)(?:\.\w+)*\(|\)\()\s*(['"`])((?:\\.|(?!\1)[^\\\n])+)\1\s*,/g

function longTitlesIn(path) {
  if (!/\.(?:test|long)\.ts$/.test(path)) return []
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(titled)].flatMap(({ index, 0: call, 2: title }) => {
    if (title.length <= maxTitle) return []
    const line = text.slice(0, index + call.indexOf(title)).split('\n').length
    return [`${path}:${line}: a title of ${title.length} characters: write at most ${maxTitle}`]
  })
}

const listing = ['ls-files', '-z', '--', ...process.argv.slice(2)]
const tracked = execFileSync('git', listing, { encoding: 'utf8' }).split('\0')
const findings = tracked
  .filter((path) => /\.(?:cjs|md|mjs|tsx?)$/.test(path))
  .flatMap((path) => [...findingsIn(path), ...longTitlesIn(path)])
for (const finding of findings) console.error(finding)
if (findings.length > 0) {
  console.error(`${findings.length} findings: see "How we write" in server/docs/contributing.md`)
  process.exitCode = 1
}
