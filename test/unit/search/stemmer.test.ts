import { stemEnglish } from '@skillpass/server/search/text/porter2'
import { expect, test } from 'vitest'

test.each([
  ['consignment', 'consign'],
  ['consistency', 'consist'],
  ['generously', 'generous'],
  ['knightly', 'knight'],
  ['hopping', 'hop'],
  ['hoping', 'hope'],
  ['tied', 'tie'],
  ['cries', 'cri'],
  ['gas', 'gas'],
  ['gaps', 'gap'],
  ['agreed', 'agre'],
  ['relational', 'relat'],
  ['organization', 'organiz'],
  ['skies', 'sky'],
  ['youth', 'youth'],
  ['saying', 'say'],
  ['analogies', 'analog'],
  ['controlling', 'control'],
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
])('the English stemmer reduces %s to %s', (word, stem) => {
  expect(stemEnglish(word)).toBe(stem)
})
