import { describe, expect, test } from 'vitest'
import { accountPages } from './account-fixture.ts'

const evil = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`
const pages = accountPages('plain')
const hostile = accountPages(evil)

describe.each(Object.entries(pages))('the page of %s', (name, html) => {
  test('is a whole document with one main heading and no level skipped', () => {
    expect(html).toMatch(/^<!doctype html><html lang="en"><head>/)
    expect(html).toMatch(/<title>[^<]+ · Skillpass<\/title>/)
    expect(html).toContain('<meta name="robots" content="noindex"/>')
    const levels = [...html.matchAll(/<h([1-6])[ >]/g)].map(([, level]) => Number(level))
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    levels.reduce((previous, level) => {
      expect(level).toBeLessThanOrEqual(previous + 1)
      return level
    }, 0)
  })

  test('sends every form by POST with a token', () => {
    for (const [, form = ''] of html.matchAll(/<form (.*?)<\/form>/gs)) {
      expect(form).toMatch(/^method="post" action="\/[a-z_/-]+"/)
      expect(form).toMatch(/<input type="hidden" name="csrf" value="t{43}"\/>/)
    }
  })

  test('labels every field and gives every id once', () => {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [field] of html.matchAll(/<input (?!type="hidden")[^>]*>/g)) {
      const id = / ?id="([^"]*)"/.exec(field)?.[1]
      expect(html).toContain(`<label for="${id}"`)
    }
  })

  test('loads nothing, and shows what strangers wrote as text', () => {
    const other = hostile[name] ?? ''
    for (const one of [html, other]) {
      expect(one).not.toMatch(/<script|<style|<img|<iframe| style="| on[a-z]+="|href="javascript:/i)
      for (const [, url] of one.matchAll(/<link [^>]*href="([^"]*)"/g)) expect(url).toMatch(/^\//)
    }
    expect(other.split('</head>')[0]).not.toContain('alert')
  })
})
