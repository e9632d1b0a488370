#!/usr/bin/env node
import { main } from '../dist/operator/commands/cli.js'

await main()
