import { Worker, type WorkerOptions } from 'node:worker_threads'

const fromSources = import.meta.url.endsWith('.ts')

/**
 * Starts a thread that runs a module, such as './merge-worker' beside the caller (`import.meta.url`). From
 * the sources, as tests run it, the thread first has to learn to read TypeScript.
 */
export function startThread(name: string, beside: string, options: WorkerOptions = {}): Worker {
  const file = new URL(`${name}.${fromSources ? 'ts' : 'js'}`, beside)
  if (!fromSources) return new Worker(file, options)
  const script = `import('tsx/esm/api').then(({ register }) => { register(); return import('${file}') })`
  return new Worker(script, { ...options, eval: true })
}
