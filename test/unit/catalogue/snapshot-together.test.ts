import { type Savable, together } from '@skillpass/server/snapshot/saved'
import { expect, test } from 'vitest'

const keeping = (text: string): Savable & { text: string } => ({
  text,
  save() {
    return { meta: text.length, parts: [{ name: 'text', bytes: Buffer.from(this.text) }] }
  },
  restore({ meta, parts }) {
    this.text = `${parts.get('text')}, ${meta}, ${parts.size}`
  },
})

test('several states are kept and taken back as one, each with its own parts and meta', async () => {
  const saved = together({ index: keeping('words'), cards: keeping('stars') }).save()
  expect(saved.parts.map(({ name }) => name)).toEqual(['index/text', 'cards/text'])
  const [cards, index] = [keeping(''), keeping('')]
  const parts = saved.parts.map(
    ({ name, bytes }) =>
      [name, Buffer.concat(bytes instanceof Uint8Array ? [bytes] : [...bytes])] as const,
  )
  const meta: unknown = JSON.parse(JSON.stringify(saved.meta))
  await together({ cards, index }).restore({ meta, parts: new Map(parts) })
  expect([cards.text, index.text]).toEqual(['stars, 5, 1', 'words, 5, 1'])
})
