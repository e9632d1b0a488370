import { Command } from 'commander'

/** Creates a command from its subcommands. */
export const groupCommand = (name: string, description: string, ...commands: Command[]): Command =>
  commands.reduce(
    (group, command) => group.addCommand(command),
    new Command(name).description(description),
  )
