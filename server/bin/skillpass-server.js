#!/usr/bin/env node
import '../dist/operator/commands/cli.js'
