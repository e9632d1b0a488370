import { leftOut as text } from '../../contract/registry/left-out.ts'
import { ignoreRules, isIgnored } from './gitignore.ts'

/** What systems, editors and programs leave in folders. */
export const leftOut = ignoreRules('', text)

/** Whether something that is in an installed skill was generated there. */
export const isGenerated = (path: string, isFolder: boolean): boolean =>
  isIgnored([leftOut], path, isFolder)
