import { Command } from 'commander'

/** A command that consists of others. */
export const groupCommand = (name: string, description: string, ...commands: Command[]): Command =>
  commands.reduce(
    (group, command) => group.addCommand(command),
    new Command(name).description(description),
  )
