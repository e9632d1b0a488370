/** Checks that run inside the page, so each stands alone and uses nothing from outside itself. */

/** Texts whose contrast to what is behind them is under 4.5:1. */
export function lowContrast(): string[] {
  const parse = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (colour: string) => {
    const [r = 0, g = 0, b = 0] = parse(colour).map((part) => {
      const share = part / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const ground = (element: Element | null): string => {
    if (!element) return 'rgb(255, 255, 255)'
    const colour = getComputedStyle(element).backgroundColor
    return parse(colour)[3] === 0 ? ground(element.parentElement) : colour
  }
  const found = new Set<string>()
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent?.trim(),
    )
    if (!hasText && !element.matches('input:not([type=hidden], [type=checkbox])')) continue
    const { color } = getComputedStyle(element)
    const one = luminance(color)
    const other = luminance(ground(element))
    const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    if (ratio < 4.5) found.add(`${element.tagName}.${element.className} ${ratio.toFixed(2)}`)
  }
  return [...found]
}

/** Elements that stick out of the screen, unless they scroll inside another one. */
export function widerThanScreen(): string[] {
  if (document.documentElement.scrollWidth <= innerWidth) return []
  const wide = [...document.querySelectorAll('body *')].filter(
    (element) => element.getBoundingClientRect().right > innerWidth + 1,
  )
  return wide.slice(0, 8).map(({ tagName, className }) => `${tagName}.${className}`)
}

/** What a person with a screen reader would trip over. */
export function problems(): string[] {
  const found: string[] = []
  const count = (selector: string) => document.querySelectorAll(selector).length
  if (!document.documentElement.lang) found.push('no language')
  if (!document.title) found.push('no title')
  for (const one of ['h1', 'main', 'body > header', 'body > footer']) {
    if (count(one) !== 1) found.push(`${count(one)} of ${one}`)
  }
  for (const input of document.querySelectorAll<HTMLInputElement>('input:not([type=hidden])')) {
    if (!input.labels?.length) found.push(`no label: ${input.outerHTML}`)
  }
  for (const form of document.querySelectorAll('form[method=post]:not(:has([name=csrf]))')) {
    found.push(`no token: ${form.outerHTML}`)
  }
  for (const control of document.querySelectorAll('a, button')) {
    if (!control.textContent?.trim()) found.push(`no name: ${control.outerHTML}`)
  }
  for (const picture of document.querySelectorAll('svg:not([aria-hidden]), img:not([alt])')) {
    found.push(`no text: ${picture.outerHTML}`)
  }
  const navs = [...document.querySelectorAll('nav')].map((nav) => nav.getAttribute('aria-label'))
  if (new Set(navs).size !== navs.length || navs.includes(null)) found.push(`navs: ${navs}`)
  for (const { id } of document.querySelectorAll('[id]')) {
    if (count(`[id="${CSS.escape(id)}"]`) > 1) found.push(`id twice: ${id}`)
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="#"]')) {
    if (!document.getElementById(link.hash.slice(1))) found.push(`leads nowhere: ${link.hash}`)
  }
  let level = 0
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const next = Number(heading.tagName.slice(1))
    if (next > level + 1) found.push(`h${next} after h${level}: ${heading.textContent}`)
    level = next
  }
  return found
}
