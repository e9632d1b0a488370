/** A place in a text, both from 1, and what stands there. */
interface Fault {
  readonly line: number
  readonly column: number
  /** The character in quotes, or `end`. */
  readonly found: string
}

const spaces = /[ \t\n\r]*/y
const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** What may come next: a value; that or the end of the list; a name; that or the end; and so on. */
type Next = 'value' | 'first' | 'name' | 'key' | 'colon' | 'comma' | 'end'

/**
 * Where a text stops being JSON (RFC 8259); undefined where all of it is. `JSON.parse` does not tell
 * the place of every fault, so the text is walked once more, without making anything of it.
 */
export function findJsonFault(text: string): Fault | undefined {
  const open: ('[' | '{')[] = []
  let at = 0
  let next: Next = 'value'

  /** Passes what the pattern takes here; false where it takes nothing. */
  function take(pattern: RegExp): boolean {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }

  /** Passes a string; false, at the fault, where it is none. */
  function takeString(): boolean {
    for (at++; at < text.length; ) {
      const unit = text.charCodeAt(at)
      if (unit === 0x22) return ++at > 0
      if (unit < 0x20) return false
      if (unit !== 0x5c) at++
      else if (!take(escaped)) return false
    }
    return false
  }

  const afterValue = (): Next => (open.length === 0 ? 'end' : 'comma')

  function close(): void {
    open.pop()
    at++
    next = afterValue()
  }

  for (;;) {
    take(spaces)
    const character = text[at]
    const inObject = open.at(-1) === '{'
    if (next === 'end') return character === undefined ? undefined : faultAt(text, at)
    if (next === 'comma') {
      if (character === ',') {
        at++
        next = inObject ? 'key' : 'value'
      } else if (character === (inObject ? '}' : ']')) close()
      else return faultAt(text, at)
    } else if (next === 'colon') {
      if (character !== ':') return faultAt(text, at)
      at++
      next = 'value'
    } else if (next === 'name' || next === 'key') {
      if (next === 'name' && character === '}') close()
      else if (character !== '"' || !takeString()) return faultAt(text, at)
      else next = 'colon'
    } else if (next === 'first' && character === ']') close()
    else if (character === '[' || character === '{') {
      open.push(character)
      at++
      next = character === '[' ? 'first' : 'name'
    } else if (character === '"' ? takeString() : take(scalar)) next = afterValue()
    else return faultAt(text, at)
  }
}

function faultAt(text: string, at: number): Fault {
  const before = text.slice(0, at)
  const lines = before.split('\n')
  const point = text.codePointAt(at)
  return {
    line: lines.length,
    column: (lines.at(-1) ?? '').length + 1,
    found: point === undefined ? 'end' : JSON.stringify(String.fromCodePoint(point)),
  }
}
