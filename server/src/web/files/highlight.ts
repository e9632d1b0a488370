import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import css from 'highlight.js/lib/languages/css'
import go from 'highlight.js/lib/languages/go'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import markdown from 'highlight.js/lib/languages/markdown'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

/** What skills are made of, by the endings of their files. */
const languages = [
  ['bash', bash, 'sh bash zsh'],
  ['css', css, 'css'],
  ['go', go, 'go'],
  ['javascript', javascript, 'js mjs cjs jsx'],
  ['json', json, 'json jsonl'],
  ['markdown', markdown, 'md markdown'],
  ['python', python, 'py'],
  ['ruby', ruby, 'rb'],
  ['sql', sql, 'sql'],
  ['typescript', typescript, 'ts mts cts tsx'],
  ['xml', xml, 'xml html htm svg'],
  ['yaml', yaml, 'yaml yml'],
] as const

const byEnding = new Map<string, string>()
for (const [name, language, endings] of languages) {
  hljs.registerLanguage(name, language)
  for (const ending of endings.split(' ')) byEnding.set(ending, name)
}

/** Longer texts stay plain: a highlighter takes a millisecond for some kilobytes, and longer for hostile ones. */
const longest = 64 * 1024

/** HTML of a text with its parts marked, all else escaped; null where its language is not known. */
export function highlight(path: string, text: string): string | null {
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase()
  const language = ending === undefined ? undefined : byEnding.get(ending)
  if (language === undefined || text.length > longest) return null
  return hljs.highlight(text, { language, ignoreIllegals: true }).value
}
