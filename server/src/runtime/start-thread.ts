import { Worker, type WorkerOptions } from 'node:worker_threads'

const fromSources = import.meta.url.endsWith('.ts')

/**
 * Starts a thread that runs the module of that name beside this one, such as './merge-worker'. From
 * the sources, as tests run it, the thread first has to learn to read TypeScript.
 */
export function startThread(name: string, options: WorkerOptions = {}): Worker {
  const file = new URL(`${name}.${fromSources ? 'ts' : 'js'}`, import.meta.url)
  if (!fromSources) return new Worker(file, options)
  const script = `import('tsx/esm/api').then(({ register }) => { register(); return import('${file}') })`
  return new Worker(script, { ...options, eval: true })
}
