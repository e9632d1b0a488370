import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Starts an example as its first lines say; gives its lines one by one. It ends with the test. */
export function startExample(example: string, env: Record<string, string>) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--conditions=@skillpass/source', `client-sdk/examples/${example}`],
    { cwd: root, env: { PATH: process.env.PATH, ...env } },
  )
  onTestFinished(() => void child.kill())
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => String((await lines.next()).value)
  return { line, ended: endOf(child), stop: () => child.kill() }
}

/** The exit code, and what went wrong where it is not 0. */
async function endOf(child: ChildProcess) {
  let complaints = ''
  child.stderr?.on('data', (text) => {
    complaints += text
  })
  const [code] = await once(child, 'close')
  return { code, complaints }
}
