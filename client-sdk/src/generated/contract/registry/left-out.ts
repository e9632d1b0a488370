// Generated from the contract by `npm run generate`: change that, not this file.

/**
 * What systems, editors and programs leave in folders, in the form of a `.gitignore`. No part of a skill, unless a
 * `.gitignore` says otherwise: `!node_modules/`.
 */
export const leftOut = `
.DS_Store
._*
__MACOSX/
[Tt]humbs.db
[Dd]esktop.ini
*~
*.sw[op]
.idea/
.vscode/
.gradle/
.venv/
venv/
node_modules/
__pycache__/
*.py[cod]
*.egg-info/
.ipynb_checkpoints/
.mypy_cache/
.nox/
.pytest_cache/
.ruff_cache/
.tox/
`
