import type { JSX } from 'preact'

/** A command to copy. It scrolls sideways: broken within words it could not be read. */
export function Command({ text }: { text: string }): JSX.Element {
  return (
    <pre class="command">
      <code>{text}</code>
    </pre>
  )
}

/** A shell word that holds exactly this text. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
