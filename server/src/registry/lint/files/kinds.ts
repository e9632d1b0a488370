/** Files that a person reads as a page, and an agent as instructions. */
const prose = /\.(?:md|mdx|markdown|mdc|txt|text|rst|adoc|asciidoc|org|html?|xhtml|svg|xml)$/i

/** Whether a file is read as prose; anything else is code or data, where nothing is hidden by rendering. */
export function isProse(path: string, text: string): boolean {
  if (prose.test(path)) return true
  return (
    !/\.[^./]+$/.test(path) &&
    !text.startsWith('#!') &&
    !/(?:^|\/)\w*(?:make|docker|rake|gem|just|proc)file$/i.test(path)
  )
}
