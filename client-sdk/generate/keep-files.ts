import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'client-sdk/src/generated')

const header =
  '// Generated from the contract by `npm run generate`: change that, not this file.\n\n'

/**
 * Writes the files, formatted, and removes all others of the folder; or only compares, and gives the
 * exit code.
 */
export function keepFiles(files: ReadonlyMap<string, string>, isCheck: boolean): number {
  const made = mkdtempSync(join(tmpdir(), 'skillpass-generated-'))
  try {
    for (const [file, text] of files) write(join(made, file), header + text)
    format(made)
    const wanted = new Map([...files.keys()].map((file) => [file, read(join(made, file))]))
    if (isCheck) return differ(wanted) ? 1 : 0
    rmSync(folder, { recursive: true, force: true })
    for (const [file, text] of wanted) write(join(folder, file), text)
    return 0
  } finally {
    rmSync(made, { recursive: true })
  }
}

function format(made: string) {
  const args = [
    'check',
    '--write',
    `--config-path=${join(root, 'biome.json')}`,
    '--vcs-enabled=false',
    made,
  ]
  const { status, stderr } = spawnSync(join(root, 'node_modules/.bin/biome'), args, {
    cwd: made,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
}

function differ(wanted: ReadonlyMap<string, string>): boolean {
  const present = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  const stale = [...new Set([...present, ...wanted.keys()])].filter(
    (file) => !present.includes(file) || wanted.get(file) !== read(join(folder, file)),
  )
  if (stale.length === 0) return false
  console.error(
    `client-sdk/src/generated is stale (${stale.join(', ')}): run "npm run generate" and commit it.`,
  )
  return true
}

const read = (file: string) => readFileSync(file, 'utf8')

function write(file: string, text: string) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
