import { main } from '../../client-sdk/src/cli/main.ts'

/** Runs `skillpass` with its environment, and where it is told to in a folder; gives what it says. */
export async function runSkillpass(
  args: string[],
  { env, cwd }: { env: Record<string, string>; cwd?: string },
) {
  let out = ''
  let err = ''
  const code = await main(args, {
    env,
    ...(cwd !== undefined && { cwd }),
    print: (text) => {
      out += text
    },
    warn: (text) => {
      err += text
    },
  })
  return { code, out, err }
}
