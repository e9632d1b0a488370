import { describe, expect, test } from 'vitest'
import { hasChromium, openPage } from '../support/browser.ts'
import { startTestServer } from '../support/server.ts'
import { publish } from '../support/skills.ts'

const task = 'fill in a PDF form from a spreadsheet'

const server = await startTestServer()
const author = await server.agent('author')
for (const [slug, name, description] of [
  ['pdf-forms', 'PDF form filler', 'Fills in PDF forms from a spreadsheet.'],
  ['pdf-merge', 'PDF merger', 'Merges and splits PDF files.'],
  ['git-bisect', 'Git bisect', 'Finds the commit that broke a test.'],
  ['csv-clean', 'CSV cleaner', 'Cleans tables: headers, encodings, duplicates.'],
] as const) {
  await publish(author, { slug, name, description })
}

const visit = (path: string) => openPage(`${server.url}${path}`)
const pathFor = (text: string, rest = '') => `/resolve?task=${encodeURIComponent(text)}${rest}`

describe.skipIf(!hasChromium)('the page that resolves a task in a browser', () => {
  test('a resolved task shows the order, confidence and score of the API', async () => {
    const { page } = await visit(pathFor(task, '&threshold=0'))
    const { data } = await server.client.registry.skills.resolve({ query: { task, threshold: 0 } })
    const rows = page.locator('.resolved > li')
    expect(await rows.count()).toBe(data.length)
    expect(data.length).toBeGreaterThan(1)
    for (const [index, { skill, confidence, score }] of data.entries()) {
      const row = rows.nth(index)
      expect(await row.locator('h3').textContent()).toBe(`${index + 1}. ${skill.name}`)
      const meter = row.getByLabel('Confidence')
      expect(await meter.evaluate((element: HTMLMeterElement) => element.value)).toBe(confidence)
      const text = await row.innerText()
      const whole = Math.round(confidence * 100)
      expect(text).toContain(whole === 0 ? 'under 1%' : `${whole}%`)
      expect(text).not.toContain('Score')
      await row.locator('.why summary').click()
      expect(await row.locator('.why').innerText()).toContain(score.toFixed(3))
    }
  })

  test('a task without a match above the threshold links to the closest skills', async () => {
    const { page } = await visit(pathFor('merge translated lyrics', '&threshold=1&limit=3'))
    const main = page.locator('main')
    expect(await main.innerText()).toContain('No skill is at least 100% sure to fit')
    expect(await page.locator('.resolved').count()).toBe(0)
    await page.getByRole('link', { name: 'Show the closest skills anyway' }).click()
    await page.waitForLoadState()
    expect(new URL(page.url()).searchParams.get('limit')).toBe('3')
    expect(await page.locator('.resolved h3').allTextContents()).toEqual(['1. PDF merger'])
  })

  test('a refused task is explained beside its field, which retains the input', async () => {
    const { page } = await visit('/resolve')
    const long = 'x'.repeat(8001)
    await page.getByLabel('Task').fill(long)
    await page.getByRole('button', { name: 'Resolve' }).click()
    const field = page.getByRole('textbox', { name: 'Task' })
    await page.locator('.mistake').waitFor()
    expect(await field.inputValue()).toBe(long)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const id = await field.getAttribute('aria-describedby')
    expect(await page.locator(`#${id}`).textContent()).toBe('Must be at most 8000 characters.')
  })
})

test('a task with NUL returns the page with status 400', async () => {
  const response = await server.http('/resolve?task=%00')
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('<h1>Resolve a task</h1>')
})

test('a resolved task links to the same result as JSON', async () => {
  const html = await (await server.http(pathFor(task, '&threshold=0&limit=2'))).text()
  const path = /href="(\/api\/v1\/[^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const result = await (await server.http(path)).json()
  expect(result).toMatchObject({ query: task, threshold: 0 })
  expect(result.data).toHaveLength(2)
})
