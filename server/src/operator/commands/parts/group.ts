import { Command } from 'commander'

export const groupCommand = (name: string, description: string, ...commands: Command[]): Command =>
  commands.reduce(
    (group, command) => group.addCommand(command),
    new Command(name).description(description),
  )
