/** An instruction with all its lines as one, and the options before its arguments. */
export interface Instruction {
  readonly name: string
  readonly options: Readonly<Record<string, string>>
  readonly text: string
}

/** What stands below a FROM. */
export interface Stage {
  readonly name: string
  readonly base: string
  readonly steps: readonly Instruction[]
}

/** Reads the stages of a Containerfile, as far as ours goes: no ARG, no heredoc, no escape directive. */
export function readStages(text: string): Stage[] {
  const stages: { name: string; base: string; steps: Instruction[] }[] = []
  const whole = text.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  for (const line of whole.split('\n')) {
    if (line.trim() === '') continue
    const step = readInstruction(line.trim())
    if (step.name === 'FROM') {
      const [base = '', , name = 'final'] = step.text.split(/\s+/)
      stages.push({ name, base, steps: [] })
    } else stages.at(-1)?.steps.push(step)
  }
  return stages
}

function readInstruction(line: string): Instruction {
  const [, name = '', flags = '', text = ''] = /^([A-Z]+)\s+((?:--\S+\s+)*)(.*)$/.exec(line) ?? []
  const options = [...flags.matchAll(/--([\w-]+)=(\S+)/g)].map(([, key, value]) => [key, value])
  return { name, options: Object.fromEntries(options), text }
}

/** Names and values of an ENV. */
export const readEnv = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, key, value]) => [key, value]))

/** What a COPY takes, and where to. */
export function readCopy(text: string): { from: string[]; to: string } {
  const paths = text.split(/\s+/)
  return { from: paths.slice(0, -1), to: paths.at(-1) ?? '' }
}
