import { ignoreRules, isIgnored } from './gitignore.ts'

/**
 * What systems, editors and programs leave in folders. No part of a skill, unless a `.gitignore` says otherwise:
 * `!node_modules/`.
 */
export const leftOut = ignoreRules(
  '',
  `
.DS_Store
Thumbs.db
desktop.ini
__MACOSX/
.idea/
.venv/
node_modules/
__pycache__/
*.pyc
.pytest_cache/
.mypy_cache/
.ruff_cache/
`,
)

/** Whether something that is in an installed skill was generated there. */
export const isGenerated = (path: string, isFolder: boolean): boolean =>
  isIgnored([leftOut], path, isFolder)
