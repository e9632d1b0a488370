import { readResolveForm, resolvePath } from '@skillpass/server/web/registry/resolve-query'
import { readSearchQuery, searchPath } from '@skillpass/server/web/registry/search-query'
import { describe, expect, test } from 'vitest'
import {
  agentPage,
  errorPage,
  homePage,
  resolvePage,
  searchPage,
  skill,
  skillPage,
} from './fixture.ts'

describe('what strangers write', () => {
  const evil = `"><script>alert('1')</script>`
  test('stays text wherever a page shows it', () => {
    const one = skill({ name: evil, description: evil, tags: [evil], displayName: evil })
    const all = [
      homePage({ skills: [one] }),
      searchPage({ q: evil, tags: evil, owner: evil, repo: evil }, { data: [one] }),
      skillPage({
        ...one,
        warnings: [],
        readme: `---\n${evil}: ${evil}\nname: '${evil}'\n---\n${evil}`,
      }),
      resolvePage({ task: evil, threshold: '0' }, [one], {
        explanation: {
          tokens: [{ token: evil, fields: ['name'], weight: 1 }],
          coverage: 1,
          missing: [evil],
        },
        copyOf: { id: one.id, name: evil, fetchUrl: `${one.fetchUrl}&${evil}` },
      }),
      resolvePage({ task: evil }, [], {}, { [evil]: 1 }),
      resolvePage({ task: evil, threshold: evil, limit: evil }, []),
      agentPage({ displayName: evil, bio: evil, skills: [one] }),
      errorPage({ title: evil, message: evil, requestId: evil }),
    ]
    // The one script is our own file, for commands that can be copied.
    for (const html of all) {
      expect(
        html.replace(/<script defer src="\/assets\/copy.js\?v=\w+"><\/script>/, ''),
      ).not.toContain('<script')
    }
  })

  test('stays one word of the shell in a command', () => {
    const html = skillPage({ fetchUrl: `http://x.test/a/b/c'$(id)?format=md` })
    expect(html).toContain(`curl -fsSL 'http://x.test/a/b/c'\\''$(id)?format=md' -o SKILL.md`)
  })
})

describe('the page of a skill', () => {
  test('says how to install and fetch it', () => {
    const html = skillPage()
    expect(html).toContain('npx skills add http://localhost:3000/report-writer/skills/pdf-forms<')
    expect(html).toContain(
      'SKILLPASS_URL=http://localhost:3000 npx skillpass add report-writer/skills/pdf-forms',
    )
    expect(html).toContain(`rel="alternate" type="text/markdown" href="${skill().fetchUrl}"`)
  })

  test('offers no installer a slug that it refuses, and says why', () => {
    const html = skillPage({ slug: 'pdf--forms' })
    expect(html).not.toContain('npx skills add')
    expect(html).toContain('single inner hyphens')
  })

  test('links each version to its markdown and shows its digest', () => {
    const html = skillPage()
    expect(html).toContain('href="/report-writer/skills/pdf-forms?version=2&amp;format=md"')
    expect(html).toContain(`sha256:${'2'.repeat(64)}`)
  })

  test.each([
    [{ trustScore: 0, feedbackCount: 0, helpfulRate: null }, 'No agent has voted on it yet'],
    [{ trustScore: 0.1, feedbackCount: 0, helpfulRate: null }, 'No agent has voted on it yet'],
    [{ trustScore: 0.1, feedbackCount: 3, helpfulRate: 0.3 }, 'Little evidence'],
    [{ trustScore: 0.8, feedbackCount: 90, helpfulRate: 0.997 }, 'reliably find it helpful'],
  ])('says in words what trust there is: %o', (trust, words) => {
    expect(skillPage(trust)).toContain(words)
  })

  test('calls a skill without votes new: a zero is no verdict', () => {
    const none = { trustScore: 0, feedbackCount: 0, helpfulRate: null, fetchCount: 0, starCount: 0 }
    const repo = { ...skill().repo, starCount: 0, importedStars: 0 }
    const html = skillPage({ ...none, repo })
    expect(html).toMatch(/<span class="badge new"[^>]*>New</)
    expect(html).toContain('<span class="score">New</span>')
    expect(html).not.toMatch(/>0\.00<|\b0 (fetches|stars|entries|here)/)
  })

  test('counts one by its singular', () => {
    const repo = { ...skill().repo, starCount: 1, importedStars: 0 }
    const one = skillPage({ fetchCount: 1, feedbackCount: 1, helpfulRate: 1, repo })
    expect(one).toContain('<strong>1</strong> fetch<')
    expect(one).toContain('<strong>1</strong> star<')
    expect(one).toContain('1 time<')
    expect(one).toContain('100% of 1 vote<')
    const list = searchPage({}, { data: [skill({ fetchCount: 1, repo })] })
    expect(list).toContain('1<span class="hidden"> star of its repository</span>')
    expect(list).toContain('1<span class="hidden"> fetch</span>')
  })

  test('gives times to people and to machines', () => {
    const time =
      '<time datetime="2026-11-20T23:30:00.000Z" title="20 Nov 2026, 23:30 UTC">20 Nov 2026</time>'
    expect(skillPage()).toContain(time)
  })
})

describe('the page of a resolved task', () => {
  const tokens = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      token: `word${n}`,
      fields: ['readme' as const],
      weight: n,
    }))

  test('names the original of a near-copy and leads to its page', () => {
    const copyOf = { id: skill().id, name: 'PDF <forms>', fetchUrl: skill().fetchUrl }
    const html = resolvePage({ task: 'fill a form' }, [skill()], { copyOf })
    expect(html).toContain('Copy of')
    expect(html).toContain(
      'href="/report-writer/skills/pdf-forms" title="PDF &lt;forms>">report-writer/skills/pdf-forms</a>',
    )
    expect(resolvePage({ task: 'fill a form' })).not.toContain('Copy of')
  })

  test('shows the twelve heaviest words of an explanation and counts the others', () => {
    const explanation = { tokens: tokens(14), coverage: 0, missing: ['xylophone', 'quokka'] }
    const html = resolvePage({ task: 'many words' }, [skill()], { explanation })
    const shown = [...html.matchAll(/<dt dir="auto">(\w+)<\/dt>/g)].map(([, token]) => token)
    expect(shown).toEqual(Array.from({ length: 12 }, (_, n) => `word${13 - n}`))
    expect(html).toContain('and 2 less important words')
    expect(html).toContain('xylophone, quokka')
  })

  test('puts all but the twenty heaviest weights behind a click', () => {
    const weights = Object.fromEntries(tokens(23).map(({ token, weight }) => [token, weight + 1]))
    const [before = '', after = ''] = resolvePage({ task: 'x' }, [], {}, weights).split('<details>')
    expect(before.match(/<th scope="row"/g)).toHaveLength(20)
    expect(after).toContain('<summary>3 less important words</summary>')
    expect(after.match(/<th scope="row"/g)).toHaveLength(3)
  })
})

describe('an error page', () => {
  test('says when to try again and which request it was', () => {
    const html = errorPage({ status: 429, retryAfter: 12, requestId: 'req-7' })
    expect(html).toContain('Try again in <strong>12 seconds</strong>')
    expect(html).toContain('<code>req-7</code>')
    expect(html).toContain('<meta name="robots" content="noindex"/>')
  })
})

describe('the home page', () => {
  test('says what was published while nothing has a star', () => {
    expect(homePage()).toContain('Most starred')
    expect(homePage({ isStarred: false })).toContain('Recently published')
    expect(homePage({ skills: [], isStarred: false })).toContain('No skills yet')
  })

  test('says that the other half exists, and leads there', () => {
    const html = homePage()
    expect(html).toContain('Permission for apps')
    for (const path of ['/console', '/oauth_device', '/my/apps']) {
      expect(html).toContain(`href="${path}"`)
    }
  })
})

describe('the address of a search', () => {
  test.each([
    [{ page: 'abc' }, { page: 1 }],
    [{ page: '-3' }, { page: 1 }],
    [{ page: '9'.repeat(30) }, { page: 1_000_000 }],
    [{ sort: 'nonsense' }, { sort: 'stars' }],
    [{ q: `  ${'x'.repeat(300)}` }, { q: 'x'.repeat(200) }],
    [{ q: ['a', 'b'] }, { q: '' }],
    [{ q: '\u0000a\ud800' }, { q: 'a\ufffd' }],
    [{ tags: ' a,,a, b ,' }, { tags: ['a', 'b'] }],
  ])('is read with what is wrong cut or left out: %o', (query, read) => {
    expect(readSearchQuery(query)).toMatchObject(read)
  })

  test('leads back to the same search', () => {
    const query = readSearchQuery({
      q: 'a&b=c',
      tags: 'x y,ü',
      sort: 'recent',
      page: '3',
      owner: 'A.b',
    })
    const { searchParams } = new URL(searchPath(query), 'http://x.test')
    expect(readSearchQuery(Object.fromEntries(searchParams))).toEqual(query)
  })

  test('is short where nothing is searched for', () => {
    expect(searchPath(readSearchQuery({}))).toBe('/search')
  })

  test('gains a tag by a result and loses it by its chip', () => {
    const html = searchPage({ q: 'pdf', tags: 'old', page: '2' })
    expect(html).toContain('href="/search?q=pdf&amp;tags=old,forms"')
    expect(html).toContain('class="chip" href="/search?q=pdf"')
  })

  test('leads to the pages before and after', () => {
    const html = searchPage({ q: 'pdf', page: '2' }, { page: 2, hasMore: true, total: 60 })
    expect(html).toContain('<a rel="prev" href="/search?q=pdf">')
    expect(html).toContain('<a rel="next" href="/search?q=pdf&amp;page=3">')
  })

  test('past the end leads to the last page', () => {
    const html = searchPage({ q: 'pdf', page: '9' }, { data: [], page: 9, total: 41 })
    expect(html).toContain('There is no page 9')
    expect(html).toContain('href="/search?q=pdf&amp;page=3"')
  })
})

describe('the address of a task', () => {
  test('is blank before a task is said', () => {
    expect(readResolveForm({})).toEqual({
      form: { task: '', threshold: '0.3', limit: '10' },
      issues: {},
    })
  })

  test('counts a line end once, however the form sends it', () => {
    const task = `${'x'.repeat(7999)}\n`
    const { query } = readResolveForm({ task: `a\r\n${'x'.repeat(7998)}` })
    expect(query?.task).toHaveLength(8000)
    expect(readResolveForm({ task: `${task}xx` }).issues).toEqual({
      task: 'Must be at most 8000 characters.',
    })
  })

  test.each([
    [{ task: ' ' }, { task: 'Must not be empty.' }],
    [{ task: '\u0000' }, { task: 'Must not hold NUL or lone surrogates.' }],
    [{ task: ['a', 'b'] }, { task: 'Must not be empty.' }],
    [{ task: 'a', limit: '51' }, { limit: 'Must be at most 50.' }],
    [{ task: 'a', limit: '1.5' }, { limit: 'Must be a whole number.' }],
    [{ task: 'a', limit: 'many' }, { limit: 'Must be a number.' }],
    [{ task: 'a', threshold: '2' }, { threshold: 'Must be at most 1.' }],
    [{ task: 'a', threshold: 'x' }, { threshold: 'Must be a number.' }],
  ])('is refused beside the field that is wrong: %o', (query, issues) => {
    const read = readResolveForm(query)
    expect(read.issues).toEqual(issues)
    expect(read.query).toBeUndefined()
  })

  test('leads back to the same task', () => {
    const query = { task: 'a&b=c\nü', threshold: 0.05, limit: 3 }
    const address = new URL(resolvePath(query), 'http://x.test')
    expect(readResolveForm(Object.fromEntries(address.searchParams)).query).toMatchObject(query)
    expect(resolvePath({ task: 'a', threshold: 0.3, limit: 10 })).toBe('/resolve?task=a')
    expect(readResolveForm({ task: 'a', threshold: '', limit: '' }).query).toMatchObject({
      task: 'a',
      threshold: 0.3,
      limit: 10,
    })
  })
})
