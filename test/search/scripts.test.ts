import { expect, test } from 'vitest'
import { found, indexOf, OTHERS, ranking, skill } from './fixture.ts'

const SKILLS = [
  skill('zh', { name: 'PDF表单填写', slug: 'zh', description: '根据数据自动填写PDF表单' }),
  skill('ja', { name: '請求書の作成', slug: 'ja', description: '見積もりから請求書を作成します' }),
  skill('ko', {
    name: '데이터베이스 백업',
    slug: 'ko',
    description: '매일 데이터베이스 백업 실행',
  }),
  skill('ru', { name: 'Проверка кода', slug: 'ru', description: 'Проверка кода на ошибки' }),
  skill('ar', { name: 'ترجمة النصوص', slug: 'ar', description: 'ترجمة النصوص إلى العربية' }),
  skill('th', { name: 'แปลภาษา', slug: 'th', description: 'แปลภาษาไทยเป็นภาษาอังกฤษ' }),
  skill('fr', { name: 'Éditeur de résumés', slug: 'fr', description: 'Écrit des résumés clairs' }),
  skill('de', {
    name: 'Straßenkarten',
    slug: 'de',
    description: 'Zeichnet Straßenkarten für Städte',
  }),
]

const index = indexOf([...OTHERS, ...SKILLS])

test.each([
  ['Chinese', '帮我填写一个表单', 'zh'],
  ['Japanese', '請求書を作成したい', 'ja'],
  ['Korean', '데이터베이스 백업', 'ko'],
  ['Cyrillic', 'ПРОВЕРКА кода', 'ru'],
  ['Arabic', 'ترجمة النصوص', 'ar'],
  ['Arabic with vowel signs', 'تَرْجَمَة', 'ar'],
  ['Thai', 'ช่วยแปลภาษา', 'th'],
  ['accented Latin', 'éditeur de résumés', 'fr'],
  ['Latin without accents', 'editeur de resumes', 'fr'],
  ['decomposed accents', 'éditeur'.normalize('NFD'), 'fr'],
  ['full-width letters', 'ＰＤＦ', 'zh'],
  ['German sharp s', 'strassenkarten', 'de'],
])('a task in %s finds its skill: %s', (_, task, id) => {
  expect(ranking(index, task)[0]).toBe(id)
  expect(found(index, task)[0]).toBe(id)
})

test('tokenWeights has the words as written in the task, in lower case', () => {
  const { tokenWeights } = index.resolve('ÉDITEUR Кода', { limit: 1, threshold: 0 })
  expect(Object.keys(tokenWeights).sort()).toEqual(['éditeur', 'кода'])
})

test.each([
  ['Japanese', '部屋を掃除してください'],
  ['Chinese', '我的洗衣机坏了怎么办'],
  ['English', 'Could you please tell me what the thing is for?'],
])('a task of stop words alone has no hit (%s)', (_, task) => {
  const talkative = indexOf([
    ...OTHERS,
    skill('ja', { description: '株価のシナリオを分析してください。結果を表にしてください。' }),
    skill('zh', { description: '我的股票怎么了，怎么办：分析了再说。' }),
    skill('en', { description: 'Could you please tell me what this is for? Yes, please.' }),
  ])
  expect(talkative.resolve(task, { limit: 10, threshold: 0.05 }).hits).toEqual([])
})
