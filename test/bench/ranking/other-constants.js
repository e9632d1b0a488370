/**
 * Preloaded, it gives the ranking other constants: `CONSTANTS`, a JSON object, has them by name.
 * Nothing is written, so that an interrupted run leaves no trace.
 */
import { register, syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  // threads do not inherit the hooks: one that reads skills would read them with the present constants
  os.availableParallelism = () => 1
  syncBuiltinESMExports()
  register(import.meta.url)
}

const given = Object.entries(JSON.parse(process.env.CONSTANTS ?? '{}'))

export async function load(url, context, nextLoad) {
  const loaded = await nextLoad(url, context)
  if (!/\/search\/constants\/constants\.ts(?:\?|$)/.test(url)) return loaded
  let source = Buffer.from(loaded.source).toString()
  for (const [name, value] of given) {
    const definition = new RegExp(`(?<=export const ${name} = )[^\\n]+`)
    if (!definition.test(source))
      throw new Error(`constants.ts has no ${name} on a line of its own`)
    source = source.replace(definition, String(value))
  }
  return { ...loaded, source }
}
