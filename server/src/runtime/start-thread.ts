import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Starts a thread that runs the module `name` beside the one at `from`, such as './merge-worker'. From
 * the sources, as tests run it, the thread first has to learn to read TypeScript.
 */
export function startThread(from: string, name: string, options: WorkerOptions = {}): Worker {
  const fromSources = from.endsWith('.ts')
  const file = new URL(`${name}.${fromSources ? 'ts' : 'js'}`, from)
  if (!fromSources) return new Worker(file, options)
  const script = `import('tsx/esm/api').then(({ register }) => { register(); return import('${file}') })`
  return new Worker(script, { ...options, eval: true })
}
