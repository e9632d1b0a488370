// Reads TypeScript for dependency-cruiser, which knows no TypeScript 7, and keeps its imports of types.
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
