/**
 * Patterns, in `.gitignore` syntax, of files that are not part of a skill unless its `.gitignore`
 * includes them again (`!node_modules/`).
 */
export const defaultIgnores = `
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
