import MarkdownIt, { type StateCore, type Token } from 'markdown-it'
import { showComments } from './comments.ts'

// Raw HTML stays text: a person then sees all that an agent will read.
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
showComments(markdown)

// Nothing is refused while parsing; the rules below decide what a link may lead to.
markdown.validateLink = () => true
markdown.core.ruler.push('readme', tame)

/** HTML of a markdown text. Not yet safe to show: `sanitise.ts` has the last word. */
export const renderMarkdown = (text: string): string => markdown.render(text)

/** Address that a link of a readme may lead to: the web or a mailbox, else null. */
export function outsideAddress(href: string): string | null {
  return /^(https?:\/\/[^/]|mailto:)/i.test(href) ? href : null
}

/** Makes a stranger's markdown fit for our page: headings below ours, no pictures, no dead links. */
function tame(state: StateCore): void {
  for (const token of state.tokens) {
    if (token.type.startsWith('heading_')) token.tag = lowered(token.tag)
    if (token.type === 'inline' && token.children) {
      token.children = tameInline(token.children, state)
    }
  }
}

// The page's own heading is the h1.
const lowered = (tag: string) => `h${Math.min(6, Number(tag.slice(1)) + 1)}`

function tameInline(tokens: Token[], state: StateCore): Token[] {
  const tamed: Token[] = []
  const closing: string[] = []
  for (const token of tokens) {
    if (token.type === 'link_open') {
      closing.push(openLink(token))
    } else if (token.type === 'link_close') {
      token.tag = closing.pop() ?? token.tag
    } else if (token.type === 'image') {
      tamed.push(...picture(token, closing.length > 0, state))
      continue
    }
    tamed.push(token)
  }
  return tamed
}

function openLink(token: Token): string {
  const href = String(token.attrGet('href') ?? '')
  if (outsideAddress(href)) {
    token.attrSet('rel', 'nofollow noopener ugc')
  } else {
    // A path of the source repository, a script, another page of ours: it leads nowhere here.
    token.tag = 'span'
    token.attrs = [
      ['class', 'nowhere'],
      ['title', href],
    ]
  }
  return token.tag
}

/** A picture would be a request to a stranger's server, so it becomes a link to itself. */
function picture(image: Token, inLink: boolean, state: StateCore): Token[] {
  const text = new state.Token('text', '', 0)
  text.content = image.content ? `Image: ${image.content}` : 'Image'
  if (inLink) return [text]
  const open = new state.Token('link_open', 'a', 1)
  open.attrSet('href', String(image.attrGet('src') ?? ''))
  const close = new state.Token('link_close', 'a', -1)
  close.tag = openLink(open)
  return [open, text, close]
}

const { rules } = markdown.renderer

// Tables and code are wider than a phone; they scroll inside themselves, by keyboard too.
rules.table_open = () =>
  '<div class="scroll" tabindex="0" role="group" aria-label="Table">\n<table>\n'
rules.table_close = () => '</table>\n</div>\n'
rules.fence = (tokens, index) => codeBlock(tokens[index]?.content ?? '')
rules.code_block = rules.fence

const codeBlock = (code: string) =>
  `<pre tabindex="0"><code>${markdown.utils.escapeHtml(code)}</code></pre>\n`

for (const name of ['th_open', 'td_open']) {
  // The policy forbids style attributes, so alignment is a class.
  rules[name] = (tokens, index) => {
    const token = tokens[index]
    const side = /text-align:(left|center|right)/.exec(String(token?.attrGet('style') ?? ''))
    return `<${token?.tag}${side ? ` class="${side[1]}"` : ''}>`
  }
}
