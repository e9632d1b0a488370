import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CannotBeHad, installNode, installPackages } from '../support/installed-node.ts'
import {
  heyApiProgram,
  openapiFetchProgram,
  openapiGeneratorProgram,
  setup,
} from './generated-programs.ts'

const run = promisify(execFile)

const packages = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.99.0',
  // The newest version whose package brings its program along instead of downloading it.
  '@openapitools/openapi-generator-cli@1.0.18-4.3.1',
  'axios@1.7.9',
  'typescript@5.9.3',
  '@types/node@20.19.43',
]

/** A generator of clients, as npm has it. */
interface Generator {
  readonly name: string
  /** Makes a client of `openapi.json`, by commands of the packages. */
  readonly commands: readonly (readonly string[])[]
  /** A program that uses the client. */
  readonly program: string
  /** Options of the compiler that its code needs. */
  readonly options?: readonly string[]
}

const jar = 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar'
const openapiGenerator = [
  ...['java', '-jar', jar, 'generate', '-i', 'openapi.json'],
  ...['--type-mappings', 'AnyType=any'],
]

/** Makes Java sources. To compile them takes packages from Maven, so the test only reads them. */
export const javaCommand = [...openapiGenerator, '-g', 'java', '--library', 'native', '-o', 'java']

export const generators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    commands: [['openapi-typescript', 'openapi.json', '-o', 'openapi-typescript.ts']],
    program: openapiFetchProgram,
  },
  {
    name: 'hey-api',
    commands: [['openapi-ts', '-i', 'openapi.json', '-o', 'hey-api', '--no-log-file']],
    program: heyApiProgram,
  },
  {
    name: 'openapi-generator',
    commands: [[...openapiGenerator, '-g', 'typescript-axios', '-o', 'openapi-generator']],
    program: openapiGeneratorProgram,
    // Its code of 2020 deletes required properties, which TypeScript refuses from version 4.0 on.
    options: ['--strict', 'false'],
  },
]

export interface GeneratorProject {
  readonly folder: string
  /** Runs a command of the packages, or one of this machine, in the folder. */
  run(command: readonly string[]): Promise<unknown>
}

/** Installs the generators in a folder beside the document of a server; or says why they cannot be had here. */
export async function installGenerators(
  folder: string,
  document: string,
): Promise<GeneratorProject | { missing: string }> {
  try {
    await run('java', ['-version']).catch(() => {
      throw new CannotBeHad('there is no Java for openapi-generator')
    })
    await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    const { bin } = await installNode('22.23.3', join(folder, 'node'))
    await installPackages(packages, folder)
    await writeFile(join(folder, 'openapi.json'), document)
    await writeFile(join(folder, 'setup.ts'), setup)
    const path = [bin, join(folder, 'node_modules/.bin'), process.env.PATH].join(':')
    return {
      folder,
      run: ([command = '', ...args]) =>
        run(command, args, { cwd: folder, env: { ...process.env, PATH: path, CI: 'true' } }),
    }
  } catch (error) {
    if (!(error instanceof CannotBeHad)) throw error
    return { missing: error.message }
  }
}
