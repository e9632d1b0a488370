import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from './processes.ts'

const run = promisify(execFile)

/** The TypeScript versions that the client is checked with. */
export const typescript5 = dirname(
  createRequire(import.meta.url).resolve('typescript/package.json'),
)
export const typescript7 = join(root, 'node_modules/typescript')

const lib = ['--lib', 'es2023,dom,dom.iterable']

/** The module resolution of a project. */
const resolutions = {
  nodenext: ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
}

export type Resolution = keyof typeof resolutions

/**
 * Compiles files of a project in strict mode, with `skipLibCheck` off. Returns the compiler's output,
 * which is empty on success.
 */
export async function compile(
  project: string,
  compiler: string,
  resolution: Resolution,
  files: readonly string[],
  ...more: string[]
): Promise<string> {
  const options = [...resolutions[resolution], ...lib, '--target', 'es2022', '--strict']
  const args = [...options, '--types', 'node', ...more, ...files]
  const { stdout } = await run('node', [join(compiler, 'bin/tsc'), ...args], {
    cwd: project,
  }).catch((error) => error)
  return stdout
}
