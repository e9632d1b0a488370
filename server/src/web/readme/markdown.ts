import MarkdownIt, { type StateInline } from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

// Show raw HTML as text and comments as boxes, so that people see everything an agent reads.
const markdown = new MarkdownIt({ html: true, linkify: false, typographer: false })

/** Renders markdown to HTML. Pass the result to `sanitize` before showing it. */
export const renderMarkdown = (text: string): string => markdown.render(text)

// Accept every link while parsing; `openLink` decides about its target.
markdown.validateLink = () => true

const { rules } = markdown.renderer
const { escapeHtml } = markdown.utils
const [open, close] = ['<!--', '-->']

// Use the built-in HTML rule for comments and folded parts only.
const foldable = /(?:<!--|<\/?(?:details|summary)\b)/y
const htmlBlock = markdown.block.ruler.getRules('').find(({ name }) => name === 'html_block')
markdown.block.ruler.at(
  'html_block',
  (state, line, endLine, silent) => {
    foldable.lastIndex = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
    return foldable.test(state.src) && htmlBlock?.(state, line, endLine, silent) === true
  },
  { alt: ['paragraph', 'reference', 'blockquote', 'list'] },
)
markdown.inline.ruler.at('html_inline', readComment)

function readComment(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state
  if (!src.startsWith(open, pos)) return false
  // Search for a missing end only once per text, which keeps parsing linear.
  const env: { unclosed?: string } = state.env
  if (env.unclosed === src) return false
  const end = src.indexOf(close, pos + open.length)
  if (end < 0) {
    env.unclosed = src
    return false
  }
  if (!silent) state.push('html_inline', '', 0).content = src.slice(pos + open.length, end)
  state.pos = end + close.length
  return true
}

// Other renderers hide comments, but agents read them. Text after the comment's end is rendered
// normally.
rules.html_block = (tokens, index) => {
  const whole = tokens[index]?.content.trim() ?? ''
  if (!whole.startsWith(open)) {
    const tag = /&lt;(\/?(?:details|summary|strong|em|code)|details open)&gt;/g
    return `${escapeHtml(whole).replace(tag, '<$1>')}\n`
  }
  const text = whole.slice(open.length)
  const [comment = ''] = text.split(close, 1)
  const rest = text.slice(comment.length + close.length).trim()
  const box = `<strong>Hidden comment.</strong> Agents read this:\n<pre tabindex="0">${escapeHtml(comment.trim())}</pre>`
  return `<div class="comment">${box}</div>\n${rest === '' ? '' : `<p>${escapeHtml(rest)}</p>\n`}`
}
rules.html_inline = (tokens, index) =>
  `<span class="comment"><strong>Hidden comment:</strong> ${escapeHtml(tokens[index]?.content.trim() ?? '')}</span>`

// The page itself has the only h1.
rules.heading_open = (tokens, index, options, _env, renderer) => {
  const token = tokens[index]
  if (token) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 1)}`
  return renderer.renderToken(tokens, index, options)
}
rules.heading_close = rules.heading_open

/** Opens a link to an http(s) or mailto address. `linkFiles` completes links to files. */
function openLink(href: string, title: string): string {
  if (!/^(https?:\/\/[^/]|mailto:)/i.test(href)) {
    return `<a class="nowhere" title="${escapeHtml(href)}">`
  }
  const named = title === '' ? '' : ` title="${escapeHtml(title)}"`
  return `<a href="${escapeHtml(href)}"${named} rel="nofollow noopener ugc">`
}

/** Links relative addresses in sanitized HTML to files, if `hrefOf` knows their path. */
export const linkFiles = (html: string, hrefOf: (path: string) => string | undefined): string =>
  html.replace(/<a class="nowhere" title="([^"]*)">/g, (tag, address: string) => {
    const href = hrefOf(pathNamed(address.replaceAll('&amp;', '&')))
    return href === undefined ? tag : `<a href="${href}">`
  })

/** The path of a file that a relative address names, or ''. */
function pathNamed(address: string): string {
  try {
    const { host, pathname } = new URL(address, 'http://skill/')
    return host === 'skill' ? decodeURIComponent(pathname.slice(1)) : ''
  } catch {
    return ''
  }
}

rules.link_open = (tokens, index, _options, env) => {
  const attribute = (name: string) => String(tokens[index]?.attrGet(name) ?? '')
  env.isInLink = true
  return openLink(attribute('href'), attribute('title'))
}
rules.link_close = (_tokens, _index, _options, env) => {
  env.isInLink = false
  return '</a>'
}

// Loading an image would contact a third-party server, so show a link instead.
rules.image = (tokens, index, _options, env) => {
  const image = tokens[index]
  const text = image?.content ? `Image: ${escapeHtml(image.content)}` : 'Image'
  return env.isInLink ? text : `${openLink(String(image?.attrGet('src') ?? ''), '')}${text}</a>`
}

// Task boxes at the start of list items.
markdown.core.ruler.push('tasks', ({ tokens, Token }) => {
  tokens.forEach(({ type, children }, at) => {
    const first = children?.[0]
    const [box, mark] = /^\[([ x])\] /i.exec(first?.content ?? '') ?? []
    if (type !== 'inline' || tokens[at - 2]?.type !== 'list_item_open' || !box) return
    if (first?.type !== 'text') return
    first.content = first.content.slice(box.length)
    const task = new Token('task', '', 0)
    task.content = mark === ' ' ? '☐' : '☑'
    children?.unshift(task)
  })
})
rules.task = (tokens, index) => `<span class="task">${tokens[index]?.content}</span> `

// Wide tables and code scroll; `tabindex` makes them reachable by keyboard.
rules.table_open = () =>
  '<div class="scroll" tabindex="0" role="group" aria-label="Table">\n<table>\n'
rules.table_close = () => '</table>\n</div>\n'
rules.fence = (tokens, index) =>
  `<pre tabindex="0"><code>${escapeHtml(tokens[index]?.content ?? '')}</code></pre>\n`
rules.code_block = rules.fence

for (const name of ['th_open', 'td_open']) {
  // The policy forbids style attributes, so alignment is a class.
  rules[name] = (tokens, index) => {
    const token = tokens[index]
    const side = /text-align:(left|center|right)/.exec(String(token?.attrGet('style') ?? ''))
    return `<${token?.tag}${side ? ` class="${side[1]}"` : ''}>`
  }
}

const allowedTags = [
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br'],
  ...['pre', 'code', 'em', 'strong', 's', 'a', 'span', 'div', 'details', 'summary'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
]

/**
 * Allows only the elements that `renderMarkdown` writes, as a second defense behind its escaping.
 */
export const sanitize = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags,
    allowedAttributes: {
      a: ['href', 'rel', 'title'],
      details: ['open'],
      ol: ['start'],
      pre: ['tabindex'],
      div: ['tabindex', 'role', 'aria-label'],
    },
    allowedClasses: {
      a: ['nowhere'],
      span: ['comment', 'task'],
      div: ['scroll', 'comment'],
      th: ['left', 'center', 'right'],
      td: ['left', 'center', 'right'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'escape',
    nestingLimit: 250,
  })
