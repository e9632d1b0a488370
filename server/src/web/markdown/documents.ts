import { errorSections, meaningsOf } from '../docs/error-codes.ts'
import { scopeSections } from '../docs/scope-entries.ts'
import { meanings, type RuleOnPage, rulePath } from '../registry/lint.tsx'
import { blocks, inline } from './text.ts'

/** `/docs/errors.md` */
export const errorsText = (): string =>
  blocks(
    '# Error codes',
    'What each code means, and how to fix it.',
    ...errorSections.flatMap(({ title, about, codes }) => [
      `## ${title}`,
      inline(about),
      ...codes.flatMap((code) => [
        `### ${inline(code)}`,
        ...meaningsOf(code).map(({ service, status, word, message, remedy }) =>
          [`${service}, ${status}${word === undefined ? '' : `, \`${word}\``}:`, message, remedy]
            .map((part, at) => (at === 0 ? part : inline(part)))
            .join(' '),
        ),
      ]),
    ]),
  )

/** `/docs/scopes.md` */
export const scopesText = (): string =>
  blocks(
    '# Scopes',
    'What each lets an app do, and which endpoints it opens.',
    ...scopeSections.flatMap(({ title, about, scopes }) => [
      `## ${title}`,
      inline(about),
      scopes
        .map(({ scope, sentence, level, endpoints }) => {
          const opened = endpoints.map((name) => `\`${name}\``).join(', ')
          return `- \`${scope}\`: ${inline(sentence)} ${level}. ${opened}`.trim()
        })
        .join('\n'),
    ]),
  )

/** `/docs/guide.md`; the text is the description of the OpenAPI document. */
export const guideText = (description: string): string =>
  blocks('# Guide to the API', description.replace(/^# /gm, '## ').trim())

/** `/docs/lint.md` */
export const lintText = (rules: readonly RuleOnPage[]): string =>
  blocks(
    '# Lint rules',
    'Every version is checked when it is published, with all its files. The most serious finding becomes the verdict: clean, notice or warning. A clean verdict is no guarantee: read what you run.',
    rules
      .map(({ id, level, explanation }) => {
        const name = `[${id}](${rulePath(id)}.md)`
        return `- ${name}, ${level}: ${inline(explanation)}`
      })
      .join('\n'),
  )

/** `/docs/lint/RULE.md` */
export const ruleText = ({ id, level, explanation, example, remedy }: RuleOnPage): string =>
  blocks(`# ${id}`, inline(explanation), meanings[level], fenced(example), inline(remedy))

/** A block of code, with a fence longer than any in it. */
function fenced(code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${code.trimEnd()}\n${fence}`
}
