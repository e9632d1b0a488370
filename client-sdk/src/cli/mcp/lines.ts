/**
 * Yields the lines of UTF-8 text. Only a line feed ends a line, since JSON may contain U+2028 and
 * U+2029.
 */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let begun: string[] = []
  for await (const bytes of stream) {
    const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n')
    begun.push(first)
    for (const next of others) {
      yield begun.join('').replace(/\r$/, '')
      begun = [next]
    }
  }
  yield begun.join('')
}

/** Yields the data of each server-sent event. */
export async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  for await (const line of linesOf(stream)) {
    if (line.startsWith('data:')) data.push(line.slice('data:'.length))
    if (line !== '' || data.length === 0) continue
    yield data.join('\n')
    data = []
  }
}
