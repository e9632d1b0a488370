/** A command to copy. `assets/copy.js` adds a button; without scripts, the keyboard can reach the text. */
export const Command = ({ text }: { text: string }) => (
  <div class="command">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users focus the command to select it */}
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  </div>
)

/** Quotes a text as one word of a POSIX shell. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
