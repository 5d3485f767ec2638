// Jest transformer: takes the types out of test files with esbuild, and keeps a source map for stack traces.
const { transformSync } = require('esbuild')

module.exports = {
  process(source, filename) {
    const { code } = transformSync(source, {
      loader: 'ts',
      format: 'esm',
      target: 'node20',
      sourcemap: 'inline',
      sourcefile: filename,
    })
    return { code }
  },
}
