import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))
const file = `${root}test/sdk/hovered.ts`

const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  customConditions: ['@skillpass/source'],
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  types: [],
}

/** What an editor shows over a word. */
export interface Hover {
  /** The first line: what it is, with its type. */
  readonly signature: string
  /** The text below, with its tags. */
  readonly text: string
}

/** Gives what an editor shows over a word of some code; a `^` stands before the word. */
export function hover(marked: string): Hover {
  const at = marked.indexOf('^')
  const code = marked.replace('^', '')
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => String(code.length),
    getScriptSnapshot: (name) => {
      const text = name === file ? code : ts.sys.readFile(name)
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? code : ts.sys.readFile(name)),
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  }
  const info = ts.createLanguageService(host, documents).getQuickInfoAtPosition(file, at)
  if (!info) throw new Error(`Nothing is shown at ${marked.slice(at)}.`)
  const tags = (info.tags ?? []).map(({ name, text }) => `@${name} ${ts.displayPartsToString(text)}`)
  return {
    signature: ts.displayPartsToString(info.displayParts),
    text: [ts.displayPartsToString(info.documentation), ...tags].join('\n').trim(),
  }
}

const documents = ts.createDocumentRegistry()
