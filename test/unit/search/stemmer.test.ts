import { stemOf } from '@skillpass/server/search/text/stem'
import { expect, test } from 'vitest'

test.each([
  ['gas', 'gas'],
  ['gaps', 'gap'],
  ['relational', 'relat'],
  ['organization', 'organiz'],
  ['pdfs', 'pdf'],
  ['vms', 'vm'],
  ['css', 'css'],
  ['apis', 'api'],
  ['gpus', 'gpu'],
  ['status', 'status'],
  ['mp3s', 'mp3'],
  ['saases', 'saas'],
  ['buses', 'bus'],
  ['lens', 'len'],
  ['lenses', 'len'],
  ['dos', 'dos'],
])('%s has the stem %s', (word, stem) => {
  expect(stemOf(word)).toBe(stem)
})
