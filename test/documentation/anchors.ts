const withoutCode = (markdown: string) => markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, '')

/** Returns the anchors of the headings of a Markdown document, as GitHub generates them. */
export const anchorsOf = (markdown: string): Set<string> =>
  new Set(
    Array.from(withoutCode(markdown).matchAll(/^#{1,6} (.+)$/gm), ([, heading = '']) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
