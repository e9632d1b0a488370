import type { FileEntry } from '../../skills/bundles/entries.ts'
import { encodedPath } from '../../skills/serialize.ts'

/** Path of the page of a file; `at` is the path of the skill's page. */
export const viewPath = (at: string, path: string, version: number): string =>
  `${at}/view/${encodedPath(path)}?version=${version}`

export const diffPath = (at: string, from: number, to: number): string =>
  `${at}/diff?from=${from}&to=${to}`

export const rulePath = (rule: string): string => `/docs/lint/${rule}`

/** Path of the page of a version. */
export const versionPath = (at: string, version: number): string => `${at}/versions/${version}`

/** Size of files, in bytes. */
export const sizeOf = (files: readonly FileEntry[]): number =>
  files.reduce((sum, { size }) => sum + size, 0)
