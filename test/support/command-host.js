import { register } from 'node:module'
import { parentPort } from 'node:worker_threads'

/**
 * Runs `skillpass-server` in a thread, once per message. The server's modules are loaded once; those of
 * the command line hold state (options, arguments, exit codes), so that each run loads them anew.
 */

const commandLine = new URL('../../server/dist/operator/commands/cli.js', import.meta.url)

// A module of the command line that is imported by one of a run belongs to the same run.
const hook = `export const resolve = async (name, context, next) => {
  const resolved = await next(name, context)
  const run = new URL(context.parentURL ?? 'file:///').searchParams.get('run')
  const isPart = resolved.url.startsWith(${JSON.stringify(new URL('.', commandLine).href)})
  return run !== null && isPart ? { ...resolved, url: resolved.url + '?run=' + run } : resolved
}`
register(`data:text/javascript,${encodeURIComponent(hook)}`)

let runs = 0

async function run({ args, env }) {
  const printed = { out: '', err: '' }
  /** The first exit code counts, and nothing that is printed after it. */
  let code
  const collect = (name) => (text) => {
    if (code === undefined) printed[name] += text
    return true
  }
  process.stdout.write = collect('out')
  process.stderr.write = collect('err')
  process.exit = (given) => {
    code ??= given ?? process.exitCode ?? 0
    throw new Error('The command has ended.')
  }
  process.exitCode = undefined
  process.argv = [process.execPath, 'skillpass-server', ...args]
  process.env = env
  try {
    await import(`${commandLine}?run=${++runs}`)
  } catch (error) {
    if (code === undefined) throw error
  } finally {
    process.stdout.removeAllListeners('error')
  }
  return { code: code ?? process.exitCode ?? 0, ...printed }
}

parentPort?.on('message', async (command) => parentPort?.postMessage(await run(command)))
