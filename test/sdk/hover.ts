import ts from 'typescript'
import { root } from '../support/processes.ts'

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

/** The hover text of an editor. */
export interface Hover {
  /** The first line, with the type. */
  readonly signature: string
  /** The documentation below, with its tags. */
  readonly text: string
}

/**
 * Opens code in an editor; returns what shows the hover of a line below `head`, at the word after its `^`.
 */
export function openEditor(head: string, marked: readonly string[]): (line: string) => Hover {
  const code = [head, ...marked.map((line) => line.replace('^', ''))].join('\n')
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
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
  const service = ts.createLanguageService(host)
  return (line) => {
    const at = code.indexOf(line.replace('^', '')) + line.indexOf('^')
    const info = service.getQuickInfoAtPosition(file, at)
    if (!info) throw new Error(`Nothing is shown for ${line}.`)
    const tags = (info.tags ?? []).map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`)
    return {
      signature: ts.displayPartsToString(info.displayParts),
      text: [ts.displayPartsToString(info.documentation), ...tags].join('\n').trim(),
    }
  }
}
