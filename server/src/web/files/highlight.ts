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
import type { Language } from './languages.ts'

const grammars = {
  bash,
  css,
  go,
  javascript,
  json,
  markdown,
  python,
  ruby,
  sql,
  typescript,
  xml,
  yaml,
} satisfies Record<Language, unknown>

for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar)

/** HTML of a text with its parts marked, all else escaped. Hostile texts take minutes: see thread.ts. */
export const highlight = (language: Language, text: string): string =>
  hljs.highlight(text, { language, ignoreIllegals: true }).value
