/** The Location of a redirect. */
export const locationOf = (response: Response): string => response.headers.get('location') ?? ''

/** The text of a page's `main` element. */
export async function textOf(response: Response): Promise<string> {
  const main = /<main.*<\/main>/s.exec(await response.text())?.[0] ?? ''
  return main
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.])/g, '$1')
    .trim()
}
