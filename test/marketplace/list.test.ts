import { describe, expect, test } from 'vitest'
import { startAppManagers } from '../support/app-managers.ts'
import { refused } from '../support/platform.ts'

interface Page {
  page_size: number
  total_records: number
  next_page_token: string
  apps: { id: string; name: string }[]
}

describe('the list of apps', async () => {
  const scene = await startAppManagers()
  const page = async (query: string) => {
    const answer = await scene.call('member', 'GET', `/apps${query}`)
    expect(`${answer.status} ${answer.text}`).toMatch(/^200 /)
    return answer.body as unknown as Page
  }
  const made: string[] = []
  for (let i = 0; i < 7; i++) made.push((await scene.register('member')).name)

  test('has 30 on a page by default, by name', async () => {
    const { apps, ...rest } = await page('')
    expect(rest).toEqual({ page_size: 30, total_records: 7, next_page_token: '' })
    expect(apps.map(({ name }) => name)).toEqual([...made].sort())
  })

  test('goes on where the page before ended, whatever is added meanwhile', async () => {
    const seen: string[] = []
    let token = ''
    do {
      const { apps, page_size, next_page_token } = await page(
        `?page_size=3&next_page_token=${token}`,
      )
      expect([page_size, apps.length]).toEqual([3, Math.min(3, 7 - seen.length)])
      seen.push(...apps.map(({ name }) => name))
      token = next_page_token
      // Stands before all others.
      if (seen.length === 3) await scene.register('member', { name: 'A new one' })
    } while (token)
    expect(seen).toEqual([...made].sort())
    const all = await page('')
    expect([all.total_records, all.apps[0]?.name]).toEqual([8, 'A new one'])
  })

  test('refuses a token that is forged or of another list, and sizes beyond 1 to 300: 300', async () => {
    const { next_page_token } = await page('?page_size=1')
    expect(next_page_token).not.toBe('')
    const tokens = ['x', '%00', 'W10', next_page_token.slice(1), `${next_page_token}A`]
    for (const token of tokens) {
      const answer = await scene.call('member', 'GET', `/apps?next_page_token=${token}`)
      expect(refused(answer)).toBe('400 300 next_page_token')
    }
    const foreign = await scene.call('second', 'GET', `/apps?next_page_token=${next_page_token}`)
    expect(refused(foreign)).toBe('400 300 next_page_token')
    for (const size of ['0', '301', '-1', '1.5', 'many']) {
      const answer = await scene.call('member', 'GET', `/apps?page_size=${size}`)
      expect(refused(answer)).toBe('400 300 page_size')
    }
    expect((await page('?page_size=300')).page_size).toBe(300)
  })
})
