import { createContext, Script } from 'node:vm'
import { LRUCache } from 'lru-cache'

export const longestHighlighted = 64 * 1024

/** Highlighting a hostile text takes minutes, so it is ended after this time, ms, and the text stays plain. */
const timeout = 60

const context: { work?: () => string } = createContext({})
const script = new Script('work()')

const kept = new LRUCache<string, { html: string | null }>({
  maxSize: 32 * 1024 * 1024,
  sizeCalculation: ({ html }) => 500 + (html?.length ?? 0),
})

/** HTML of a text with its parts marked; null if it takes too long. The language is one of `languageOf`. */
export async function highlight(language: string, text: string, digest: string) {
  const key = `${language} ${digest}`
  const found = kept.get(key)
  if (found) return found.html
  const { highlight } = await load()
  // The first use of a language compiles its grammar, which is not the text's fault.
  highlight('', { language })
  context.work = () => highlight(text, { language, ignoreIllegals: true }).value
  const html = runInTime()
  kept.set(key, { html })
  return html
}

function runInTime(): string | null {
  const before = process.cpuUsage()
  for (;;) {
    try {
      return script.runInContext(context, { timeout })
    } catch (error) {
      if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      // On a busy machine the time may have passed while other processes ran.
      if (process.cpuUsage(before).user > timeout * 500) return null
    }
  }
}

/** Loaded for the first file: it takes 9 MB. */
async function load() {
  const { default: hljs } = await import('highlight.js/lib/common')
  hljs.registerAliases('htm', { languageName: 'xml' })
  hljs.registerAliases('jsonl', { languageName: 'json' })
  hljs.unregisterLanguage('plaintext')
  return hljs
}

/** The language of a file by the ending of its name; undefined if it is unknown. */
export async function languageOf(path: string): Promise<string | undefined> {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase()
  return ending !== undefined && (await load()).getLanguage(ending) ? ending : undefined
}
