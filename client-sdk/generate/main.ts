import { generatedFiles } from './generated-files.ts'
import { keepFiles } from './keep-files.ts'

/** Writes `client-sdk/src/generated`, or with `--check` fails where it is not what the contract gives. */
process.exitCode = keepFiles(generatedFiles(), process.argv.includes('--check'))
