// Parses TypeScript for dependency-cruiser, which does not support TypeScript 7, and turns type
// imports into value imports so that they count as dependencies.
const keepTypes = () => ({
  visitor: {
    Program({ node }) {
      for (const statement of node.body) {
        if (statement.type === 'ImportDeclaration') {
          statement.importKind = 'value'
          statement.specifiers = []
        } else if (statement.type === 'ExportNamedDeclaration' && statement.source) {
          statement.exportKind = 'value'
          statement.specifiers = []
        }
      }
    },
  },
})

module.exports = {
  plugins: [keepTypes],
  presets: ['@babel/preset-typescript'],
  parserOpts: { plugins: ['jsx'] },
}
