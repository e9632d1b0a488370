import { symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { bounds } from '@skillpass/contract'
import { expect, test } from 'vitest'
import { folderBounds, readFolder } from '../../../client-sdk/src/cli/folder/read-folder.ts'
import { temporaryFolder, writeFiles } from '../../support/cleanup.ts'

/** Creates a folder with a SKILL.md and these files. */
async function folderOf(files: Record<string, string>) {
  const root = await temporaryFolder()
  await writeFiles(root, { 'SKILL.md': '# Forms\n', ...files })
  return root
}

const pathsOf = async (root: string) => (await readFolder(root)).files.map(({ path }) => path)

test('readFolder leaves out the files of version control', async () => {
  const excluded = ['.git/config', '.hg/x', '.svn/x', 'sub/.git', 'sub/CVS/x', '.jj/x']
  const root = await folderOf({
    'a.md': '',
    ...Object.fromEntries(excluded.map((path) => [path, ''])),
  })
  expect(await pathsOf(root)).toEqual(['a.md'])
})

test('readFolder obeys the .gitignore of the repository around it, unless that ignores the folder itself', async () => {
  const top = await folderOf({
    '.gitignore': '*.log\n/skills/forms/secret\nbuild/\n',
    'skills/.gitignore': '.env\n',
    'skills/forms/SKILL.md': '',
    'skills/forms/a.log': '',
    'skills/forms/.env': '',
    'skills/forms/secret': '',
    'skills/forms/private': '',
    'skills/forms/b.py': '',
    'build/forms/SKILL.md': '',
    'build/forms/c.log': '',
  })
  await writeFiles(top, { '.git/info/exclude': 'private\n' })
  expect(await pathsOf(join(top, 'skills/forms'))).toEqual(['b.py'])
  expect(await pathsOf(join(top, 'build/forms'))).toEqual(['c.log'])
})

test('readFolder follows symbolic links within the folder', async () => {
  const root = await folderOf({ 'real/a.md': 'a' })
  await symlink('real', join(root, 'linked'))
  await symlink('real/a.md', join(root, 'a.md'))
  await symlink(join(root, 'real/a.md'), join(root, 'whole.md'))
  expect(await pathsOf(root)).toEqual(['a.md', 'linked/a.md', 'real/a.md', 'whole.md'])
})

test('readFolder refuses every other symbolic link by name', async () => {
  const outside = await folderOf({})
  const root = await folderOf({ '.git/config': 'secret', 'sub/x': '' })
  await symlink(outside, join(root, 'out'))
  await symlink(join(outside, 'SKILL.md'), join(root, 'sub/out.md'))
  await symlink('nowhere', join(root, 'broken'))
  await symlink('..', join(root, 'sub/circle'))
  await symlink('.git/config', join(root, 'config'))
  const message = await readFolder(root).then(String, (error: Error) => error.message)
  for (const line of [
    `out is a link to a place outside the folder: ${outside}`,
    `sub/out.md is a link to a place outside the folder: ${outside}/SKILL.md`,
    'broken is a broken link',
    'sub/circle is a circular link',
    'config is a link into version control data: .git/config',
  ]) {
    expect(message).toContain(`\n  ${line}`)
  }
})

test('readFolder names every path that the registry would refuse', async () => {
  const root = await folderOf({ 'a\nb': '', 'nul.txt': '', 'x/a:b': '', twin: '', Twin: '' })
  const message = await readFolder(root).then(String, (error: Error) => error.message)
  for (const path of [
    'a b must not contain control',
    'nul.txt must not contain',
    'x/a:b must not contain',
    'twin',
  ]) {
    expect(message).toContain(`\n  ${path}`)
  }
})

test('readFolder names each bound of the registry that a folder exceeds', async () => {
  const { files, bundleBytes, blobBytes } = bounds
  expect(folderBounds).toEqual({ files, bytes: bundleBytes, fileBytes: blobBytes })
  const many = await folderOf(
    Object.fromEntries(Array.from({ length: 513 }, (_, at) => [`f${at}`, ''])),
  )
  await expect(readFolder(many)).rejects.toThrow('513 files beside SKILL.md; the limit is 512')
  const large = await folderOf({ 'large.bin': '' })
  await truncate(join(large, 'large.bin'), blobBytes + 1)
  await expect(readFolder(large)).rejects.toThrow(
    'large.bin has 4194305 bytes; the limit is 4194304',
  )
  const heavy = await folderOf({ a: '', b: '', c: '', d: '', e: '' })
  for (const name of 'abcde') await truncate(join(heavy, name), blobBytes)
  await expect(readFolder(heavy)).rejects.toThrow(
    '20971520 bytes beside SKILL.md; the limit is 16777216',
  )
})
