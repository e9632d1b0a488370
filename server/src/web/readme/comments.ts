import type MarkdownIt from 'markdown-it'
import type { StateBlock, StateInline } from 'markdown-it'

const [open, close] = ['<!--', '-->']

/**
 * Shows the HTML comments of a readme in boxes that name them: other renderers hide them, agents read
 * them. They begin and end as in CommonMark, so what stands in a box is what is hidden elsewhere.
 */
export function showComments(markdown: MarkdownIt): void {
  markdown.block.ruler.before('html_block', 'comment', readBlock, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  markdown.inline.ruler.before('html_inline', 'comment', readInline)
  const { rules } = markdown.renderer
  const { escapeHtml } = markdown.utils
  rules.comment_block = (tokens, index) =>
    `<div class="comment"><strong>Hidden comment.</strong> Agents read this:\n` +
    `<pre tabindex="0">${escapeHtml(tokens[index]?.content ?? '')}</pre></div>\n`
  rules.comment_inline = (tokens, index) =>
    `<span class="comment"><strong>Hidden comment:</strong> ${escapeHtml(tokens[index]?.content ?? '')}</span>`
}

/** A comment that begins a line; without an end it goes on to the end of what it stands in. */
function readBlock(state: StateBlock, startLine: number, endLine: number, silent: boolean) {
  const isCode = (state.sCount[startLine] ?? 0) - state.blkIndent >= 4
  const start = lineStart(state, startLine)
  if (isCode || !state.src.startsWith(open, start)) return false
  if (silent) return true
  const lines: string[] = []
  let rest = ''
  let line = startLine
  for (; line < endLine; line++) {
    // A line that is indented less than the list item around it ends the comment, as it ends the item.
    if (line > startLine && (state.sCount[line] ?? 0) < state.blkIndent && !state.isEmpty(line))
      break
    const text = state.src.slice(
      line === startLine ? start + open.length : lineStart(state, line),
      state.eMarks[line],
    )
    const end = text.indexOf(close)
    lines.push(end < 0 ? text : text.slice(0, end))
    if (end < 0) continue
    rest = text.slice(end + close.length).trim()
    line++
    break
  }
  state.line = line
  const token = state.push('comment_block', '', 0)
  token.content = lines.join('\n').trim()
  token.map = [startLine, line]
  if (rest !== '') pushParagraph(state, rest, line)
  return true
}

function lineStart(state: StateBlock, line: number): number {
  return (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0)
}

/** What follows on the line of the comment's end is seen elsewhere too. */
function pushParagraph(state: StateBlock, text: string, line: number) {
  state.push('paragraph_open', 'p', 1)
  const inline = state.push('inline', '', 0)
  inline.content = text
  inline.map = [line - 1, line]
  inline.children = []
  state.push('paragraph_close', 'p', -1)
}

/** A comment within a line or a paragraph. */
function readInline(state: StateInline, silent: boolean) {
  const { src, pos } = state
  if (!src.startsWith(open, pos)) return false
  // Only the first of many comments without an end looks for it.
  const env: { unclosed?: string } = state.env
  if (env.unclosed === src) return false
  const end = src.indexOf(close, pos + open.length)
  if (end < 0) {
    env.unclosed = src
    return false
  }
  if (!silent)
    state.push('comment_inline', '', 0).content = src.slice(pos + open.length, end).trim()
  state.pos = end + close.length
  return true
}
