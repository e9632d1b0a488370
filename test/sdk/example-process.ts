import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import { afterFile, temporaryFolder } from '../support/cleanup.ts'
import { root } from '../support/processes.ts'

/**
 * Bundles the examples, so that they start without a compiler. Returns a function that starts one
 * by name.
 */
export async function buildExamples() {
  const outdir = await temporaryFolder()
  const folder = join(root, 'client-sdk/examples')
  const examples = (await readdir(folder)).filter((name) => name.endsWith('.ts'))
  await build({
    entryPoints: examples.map((name) => join(folder, name)),
    outdir,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    format: 'esm',
    bundle: true,
    conditions: ['@skillpass/source'],
    // Express is CommonJS and requires modules of Node.js.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`,
    },
  })
  return (name: string, env: Record<string, string>, ...args: string[]) =>
    startProcess([join(outdir, name.replace(/ts$/, 'mjs')), ...args], env)
}

/**
 * Starts a script and stops it after the tests of the file. `line` returns its next line of output.
 */
function startProcess(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, ...env } })
  afterFile(async () => void child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => String((await lines.next()).value)
  return { line, ended: endOf(child) }
}

/** Returns the exit code and the standard error of a process. */
async function endOf(child: ChildProcess) {
  let complaints = ''
  child.stderr?.on('data', (text) => {
    complaints += text
  })
  const [code] = await once(child, 'close')
  return { code, complaints }
}
