import sanitizeHtml from 'sanitize-html'

const allowedTags = [
  ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br'],
  ...['pre', 'code', 'em', 'strong', 's', 'a', 'span', 'div'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td'],
]

/** Allows only the elements that `renderMarkdown` writes, as a second defense behind its escaping. */
export const sanitize = (html: string): string =>
  sanitizeHtml(html, {
    allowedTags,
    allowedAttributes: {
      a: ['href', 'rel', 'title'],
      span: ['title'],
      ol: ['start'],
      pre: ['tabindex'],
      div: ['tabindex', 'role', 'aria-label'],
    },
    allowedClasses: {
      span: ['nowhere', 'comment'],
      div: ['scroll', 'comment'],
      th: ['left', 'center', 'right'],
      td: ['left', 'center', 'right'],
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowProtocolRelative: false,
    disallowedTagsMode: 'escape',
    nestingLimit: 250,
  })
