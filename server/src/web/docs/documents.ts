import { oauthContract } from '@skillpass/contract'
import { blocks, inline } from '../ui/markdown-text.ts'
import { errorSections, meaningsOf } from './error-codes.ts'
import { scopeSections } from './scope-entries.ts'

const sentence = (text: string) => `${inline(text)}${/[.?!]$/.test(text) ? '' : '.'}`

/** `/docs/errors` */
export const errorsText = (): string =>
  blocks(
    '# Error codes',
    'What each code means, and how to fix it.',
    ...errorSections.flatMap(({ title, about, codes }) => [
      `## ${title}`,
      inline(about),
      ...codes.flatMap((code) => [
        `### \`${code}\``,
        ...meaningsOf(code).map(({ service, status, word, message, remedy }) =>
          [`${service}, ${status}${word === undefined ? '' : `, \`${word}\``}:`, message, remedy]
            .map((part, at) => (at === 0 ? part : sentence(part)))
            .join(' '),
        ),
      ]),
    ]),
  )

/** `/docs/scopes` */
export const scopesText = (): string =>
  blocks(
    '# Scopes',
    `What each lets an app do, and which endpoints it opens. An app asks for them at \`${oauthContract.authorize.path}\`.`,
    ...scopeSections.flatMap(({ title, about, scopes }) => [
      `## ${title}`,
      inline(about),
      ...scopes.flatMap(({ scope, sentence: words, level, endpoints }) => [
        `### \`${scope}\``,
        `${sentence(words)} ${sentence(level)}`,
        endpoints.map((name) => `- \`${name}\``).join('\n'),
      ]),
    ]),
  )

/** `/docs/guide`; the text is the description of the OpenAPI document. */
export const guideText = (description: string): string =>
  blocks('# Guide to the API', description.replace(/^# /gm, '## ').trim())
