import type { JSX } from 'preact'

/** A command to copy. It wraps, so that all of it is seen; the copy has no line breaks of ours. */
export function Command({ text }: { text: string }): JSX.Element {
  return (
    <pre class="command">
      <code>{text}</code>
    </pre>
  )
}

/** A shell word that holds exactly this text. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
