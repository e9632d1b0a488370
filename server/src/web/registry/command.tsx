/**
 * A command to copy. It wraps and is never cut; `assets/copy.js` puts a button beside it, and who
 * has no script reaches it by keyboard all the same.
 */
export function Command({ text }: { text: string }) {
  return (
    <div class="command">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the caret is set into it to select the command */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </div>
  )
}

/** A shell word that holds exactly this text. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
