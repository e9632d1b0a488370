import { createContext, Script } from 'node:vm'
import { LRUCache } from 'lru-cache'

export const longestHighlighted = 64 * 1024

/** Milliseconds after which highlighting is aborted: a hostile text would take minutes. */
const timeout = 60

const context: { work?: () => string } = createContext({})
const script = new Script('work()')

const cache = new LRUCache<string, { html: string | null }>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ html }) => 500 + (html?.length ?? 0),
})

/** Returns highlighted HTML, or null if that takes too long. `language` comes from `languageOf`. */
export async function highlight(language: string, text: string, digest: string) {
  const key = `${language} ${digest}`
  const found = cache.get(key)
  if (found) return found.html
  const { highlight } = await load()
  // Compile the grammar outside the time limit.
  highlight('', { language })
  context.work = () => highlight(text, { language, ignoreIllegals: true }).value
  const html = runInTime()
  cache.set(key, { html })
  return html
}

function runInTime(): string | null {
  const before = process.cpuUsage()
  for (;;) {
    try {
      return script.runInContext(context, { timeout })
    } catch (error) {
      if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      // Give up only if this process used half of the time; other processes may have used the CPU.
      if (process.cpuUsage(before).user > timeout * 500) return null
    }
  }
}

/** Loads highlight.js on first use, since it takes 9 MB of memory. */
async function load() {
  const { default: hljs } = await import('highlight.js/lib/common')
  hljs.registerAliases('htm', { languageName: 'xml' })
  hljs.registerAliases('jsonl', { languageName: 'json' })
  hljs.unregisterLanguage('plaintext')
  return hljs
}

/** Returns the language of a file by its extension; undefined if it is unknown. */
export async function languageOf(path: string): Promise<string | undefined> {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase()
  return ending !== undefined && (await load()).getLanguage(ending) ? ending : undefined
}
