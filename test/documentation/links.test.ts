import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../support/processes.ts'
import { anchorsOf } from './anchors.ts'

const folders = ['.', 'client-sdk', 'client-sdk/docs', 'contract/spec', 'server/docs']
const inFolders = await Promise.all(
  folders.map(async (folder) => (await readdir(join(root, folder))).map((it) => join(folder, it))),
)
const pages = inFolders.flat().filter((path) => path.endsWith('.md'))

const read = (path: string) => readFileSync(join(root, path), 'utf8')

test.each(pages)('every relative link of %s leads to a file and a heading', (page) => {
  const broken = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) => {
    if (/^(\w+:|\/)/.test(link)) return []
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(root, target))) return [link]
    const leadsToHeading = !anchor || !target.endsWith('.md') || anchorsOf(read(target)).has(anchor)
    return leadsToHeading ? [] : [link]
  })
  expect(broken).toEqual([])
})

test.each(['README.md', 'server/docs/architecture.md', 'server/docs/contributing.md'])(
  'every path that %s names in backticks exists, in the repository or in server/src',
  (page) => {
    const paths = Array.from(read(page).matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?)`/g))
    const exists = (path: string) =>
      ['', 'server/src'].some((base) => existsSync(join(root, base, path)))
    expect(paths.map(([, path = '']) => path).filter((path) => !exists(path))).toEqual([])
  },
)
