import { holdsInjection } from './injection.ts'
import { rulesOf, type TextCheck } from './report/types.ts'
import { codeIn } from './text/code-in.ts'
import { eachMatch } from './text/each-match.ts'

export const unseenRules = rulesOf('warning', {
  'hidden-instruction':
    'An HTML comment, an attribute, the title of a link definition or a hidden element holds an instruction: an agent reads it, a person who looks at the page does not.',
})

/** A note to an editor is shorter; more than this is not searched but reported. */
const longest = 4000

/** The beginning of `[//]: # (…)`, `[x]: # "…"`, `[x]: https://… '…'`, up to what opens the title. */
const definition =
  /^[ >]{0,9}\[[^\]\n]{1,200}\]:[ \t]{0,9}(?:\n[ \t]{0,9})?(?:<[^>\n]{0,400}>|[^\s<]\S{0,400})[ \t]{0,9}(?:\n[ \t]{0,9})?([("'])/gm
const closing: Readonly<Record<string, string>> = { '(': ')', '"': '"', "'": "'" }
const element = /<[a-z][\w-]{0,20}(\s[^<>]{4,600})>([^<]{3,4000})/g
/** Elements that a page does not show whatever their attributes say. */
const unshown =
  /<(?:template|script|style|noscript|datalist)(?:\s[^<>]{0,600})?>([^<]{3,4000})|<(?:title|desc|dialog)(?:\s[^<>]{0,600})?>([^<]{3,4000})<\//g
const hiding =
  /\shidden(?:[\s=]|$)|style\s?=\s?["'][^"']{0,300}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0(?![.\d])|color\s?:\s?(?:#fff(?:fff)?|white|transparent)\b)/

/** Attributes whose text a page shows late or never. */
const attribute =
  /\s(?:alt|title|aria-[a-z]{1,20}|data-[\w-]{1,30}|content|summary|label|placeholder)\s{0,3}=\s{0,3}(?:"([^"<>]{12,1500})"|'([^'<>]{12,1500})')/g
/** The label of an image and the title of a link or image, which become attributes. */
const imageLabel = /!\[([^[\]\n]{12,1500})\][([]/g
const linkTitle = /\]\([^()\s]{1,400}\s{1,4}(?:"([^"()\n]{12,1500})"|'([^'()\n]{12,1500})')/g
/** `<?…?>`, `<![CDATA[…]]>` and `<!x …>`, which a page leaves out. */
const declaration = /<(?:\?|!(?!--))([^<>]{12,1500})>/g

/** What an instruction to an agent has and a note to an editor has not. */
const signs = [
  // The address is matched whole (`\1`), or up to a word within it: tried at each length, it would take a time
  // that grows with the square of its own.
  /https?:\/\/(?!(?:www\.)?(?:schema\.org|w3\.org|json-schema\.org|creativecommons\.org|spdx\.org|opensource\.org))(?:(?=(\S{4,}))\1[\s\S]{0,200}|\S{4,})\b(?:send|post|upload|run|execute|fetch|download|submit|forward|visit|open)\b|\b(?:send|post|upload|run|execute|fetch|download|submit|forward|visit|call)\b[\s\S]{0,120}https?:\/\//,
  /\b(?:curl|wget|iwr|irm)\s[^\n]{0,80}(?:https?:|\$)|\brm\s+-rf\b|\|\s*(?:ba|z)?sh\b|\bbase64\s+-{1,2}d|\bchmod\s+\+x|\beval\s*["'(`$]/,
  // Maintainers are told to run tests and add sections; only an agent is told to send or to be silent.
  /\b(?:you (?:must|should|shall|need to|have to|will|are to)|always|first|then|before (?:you|doing)|immediately)\b[^\n.]{0,80}\b(?:send|upload|post|fetch|download|delete|disable|forward|exfiltrate)\b|\b(?:silently|secretly|without (?:asking|telling|confirmation|approval))\b[\s\S]{0,80}\b(?:run|execute|send|upload|post|fetch|download|install|read|open|delete|remove|add|insert|commit|push)\b|\b(?:run|execute|send|upload|install|read|delete|remove|add|insert|commit|push)\b[^\n.]{0,80}\b(?:silently|secretly|without (?:asking|telling|confirmation|approval))\b/,
  /\b(?:(?:ai |coding |llm )?(?:agents?|assistants?|models?|llms?)|claude|chatgpt|gpt|copilot|cursor|gemini)\b\s?[:,]\s?[\s\S]{0,40}\b(?:run|execute|send|post|forward|e?mail|publish|transfer|upload|ignore|read|fetch|download|install|include|open|visit|delete|remove|erase|wipe|overwrite|disable|always|never|must|do not)\b|\b(?:(?:ai |coding )?agents?|assistants?|llms?|claude|chatgpt|copilot)\s(?:must|should|shall|will|have to|are to|is to|needs? to)\s(?:\w{1,16}\s){0,3}(?:send|post|forward|upload|delete|remove|erase|wipe|overwrite|download|disable|exfiltrate)\b/,
  /(?:~|\$home|\/home\/\w+|\/root)\/\.(?:ssh|aws|gnupg|netrc|config|kube|docker)|\bid_(?:rsa|ed25519)\b|\b(?:read|send|print|copy|cat|collect|include|upload|steal|dump)\b[\s\S]{0,60}(?:\.env\b|\b(?:api[ _-]?keys?|access tokens?|passwords?|credentials|secrets?|private keys?|seed phrases?|environment variables?)\b)/,
] as const

/** Finds instructions where a rendered page shows nothing. */
export const findUnseen: TextCheck = ({ text, field }, report) => {
  if (!/<[!?a-z]|\][:(]/.test(text)) return
  let isShown: ((at: number) => boolean) | undefined
  const look = (what: string, passage: string, index: number) => {
    const isLong = passage.length > longest
    if (!isLong && !signs.some((sign) => sign.test(passage)) && !holdsInjection(passage)) return
    isShown ??= field === 'readme' ? codeIn(text) : () => false
    if (isShown(index)) return
    report('hidden-instruction', `${what} tells an agent what to do`, index)
  }
  for (const { index, passage } of comments(text)) look('an HTML comment', passage, index)
  for (const { index, passage } of titles(text)) {
    look('the title of a link definition', passage, index)
  }
  eachMatch(element, text, ({ index, 1: attributes = '', 2: passage = '' }) => {
    if (hiding.test(attributes)) look('a hidden element', passage, index)
  })
  eachMatch(unshown, text, ({ index, 1: passage, 2: closed = '' }) => {
    look('a hidden element', passage ?? closed, index)
  })
  eachMatch(imageLabel, text, ({ index, 1: passage = '' }) => {
    look('the label of an image', passage, index)
  })
  eachMatch(linkTitle, text, ({ index, 1: double, 2: single }) => {
    look('the title of a link', double ?? single ?? '', index)
  })
  eachMatch(declaration, text, ({ index, 1: passage = '' }) => {
    look('a declaration', passage, index)
  })
  eachMatch(attribute, text, ({ index, 1: double, 2: single }) => {
    if (isInTag(text, index)) look('an attribute', double ?? single ?? '', index)
  })
}

/** Whether a tag was opened a little before and not closed. */
function isInTag(text: string, at: number): boolean {
  return /<[a-z][^<>]{0,600}$/.test(text.slice(Math.max(0, at - 620), at))
}

/** Titles of link definitions, which hold no blank line (CommonMark §4.7). */
function* titles(text: string): Generator<{ index: number; passage: string }> {
  const next = nextPlaces(text)
  definition.lastIndex = 0
  for (let match = definition.exec(text); match; match = definition.exec(text)) {
    const start = definition.lastIndex
    const close = next(closing[match[1] ?? ''] ?? '"', start)
    if (close === text.length || next('\n\n', start) < close) continue
    yield { index: match.index, passage: text.slice(start, close) }
    definition.lastIndex = close
  }
}

/** Where a string stands next, or the text's length; asked from ascending places, it reads a text once. */
function nextPlaces(text: string): (part: string, from: number) => number {
  const found = new Map<string, number>()
  return (part, from) => {
    let at = found.get(part) ?? -1
    if (at < from) {
      at = text.indexOf(part, from)
      if (at < 0) at = text.length
      found.set(part, at)
    }
    return at
  }
}

/** One that is never closed goes on to the end (CommonMark §4.6). */
function* comments(text: string): Generator<{ index: number; passage: string }> {
  for (let index = text.indexOf('<!--'); index >= 0; ) {
    const close = text.indexOf('-->', index + 4)
    const end = close < 0 ? text.length : close
    yield { index, passage: text.slice(index + 4, end) }
    index = text.indexOf('<!--', end)
  }
}
