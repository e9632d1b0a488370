import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { root } from '../support/processes.ts'
import { parts, pathOf } from './parts.ts'

test('every part of the long tests has a unique name and runs existing files', async () => {
  const names = parts.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  for (const file of parts.flatMap(({ files = [] }) => files))
    await access(`${root}/${pathOf(file)}`)
})
