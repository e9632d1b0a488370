import { expect, test } from 'vitest'
import type { CorpusSkill } from '../../support/corpus.ts'
import { indexCorpus } from './indexed-corpus.ts'
import { gatherRankings, judge, PRESENT } from './ranking-samples.ts'

const skill = (slug: string, readme: string): CorpusSkill => ({
  id: `fit/all/${slug}`,
  owner: 'fit',
  repo: 'all',
  slug,
  name: slug,
  description: `Reads ${slug} reports.`,
  tags: [],
  readme,
})

const task = 'read invoices and reports'
const wordList = Array.from({ length: 3000 }, (_, i) => `word${i}`).join(' ')

test('the weights of the ranking are fitted to the score that it has, word lists included', () => {
  const corpus = indexCorpus([
    skill('invoices', 'Reads invoices. Then it writes a report of each of them for you.'),
    skill('letters', `invoices reports ${wordList}`),
    skill('ledgers', 'Keeps ledgers of what was paid.'),
  ])
  const samples = gatherRankings(corpus, [
    { task, relevant: ['fit/all/invoices'], kind: 'positive', source: 'fit/all' },
  ])
  expect(samples[0]?.candidates).toHaveLength(3)
  expect(judge(samples, PRESENT).first).toBe(1)
})
